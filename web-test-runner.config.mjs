import { fileURLToPath } from 'node:url';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { summaryReporter } from '@web/test-runner';
import { playwrightLauncher } from '@web/test-runner-playwright';
import { testPlatforms } from './packages/elements/test-platform/middleware.mjs';
import { countsReporter } from './scripts/counts-reporter.mjs';
import { chromiumLaunchOptions } from './scripts/find-chromium.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Tests of everything that needs a real DOM. They run from source: nothing is built before. */
export default {
  rootDir: here('.'),
  files: [
    'packages/{elements,loader,react,hosted}/src/**/*.test.{ts,tsx}',
    // Those run on a server: see vite.config.ts.
    '!packages/*/src/**/*.node.test.{ts,tsx}',
  ],
  nodeResolve: { exportConditions: ['source', 'development', 'browser'] },
  // Playwright's page has a console of its own; Lit's reminder that it runs in dev mode is noise.
  filterBrowserLogs: ({ args }) => !String(args[0]).includes('Lit is in dev mode'),
  middleware: [testPlatforms()],
  plugins: [
    esbuildPlugin({
      ts: true,
      tsx: true,
      target: 'es2022',
      tsconfig: here('packages/elements/tsconfig.json'),
      // React's files ask for it, and nothing else here does.
      define: { 'process.env.NODE_ENV': '"development"' },
    }),
  ],
  browsers: [playwrightLauncher({ product: 'chromium', launchOptions: chromiumLaunchOptions() })],
  concurrency: 2,
  testFramework: { config: { timeout: 10_000 } },
  testsFinishTimeout: 120_000,
  reporters: [summaryReporter(), countsReporter()],
};
