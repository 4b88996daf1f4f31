import { fileURLToPath } from 'node:url';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { summaryReporter } from '@web/test-runner';
import { build } from 'esbuild';
import { countsReporter } from './scripts/counts-reporter.mjs';
import { engines } from './scripts/engines/engines.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** React is CommonJS, which no browser can import: the tests of its wrapper are bundled first. */
const bundleReactTests = {
  name: 'bundle-react-tests',
  async serve({ path }) {
    if (!path.endsWith('.browser.test.tsx')) return;
    const { outputFiles } = await build({
      entryPoints: [here(`.${path}`)],
      bundle: true,
      write: false,
      format: 'esm',
      jsx: 'automatic',
      conditions: ['source', 'browser'],
      define: { 'process.env.NODE_ENV': '"development"' },
    });
    return { body: outputFiles[0].text, type: 'js' };
  },
};

/** Tests of everything that needs a real DOM. They run from source: nothing is built before. */
export default {
  rootDir: here('.'),
  files: [
    'packages/{elements,loader,hosted}/src/**/*.test.ts',
    'packages/react/src/**/*.browser.test.tsx',
  ],
  nodeResolve: { exportConditions: ['source', 'development', 'browser'] },
  // Playwright's page has a console of its own; Lit's reminder that it runs in dev mode is noise.
  filterBrowserLogs: ({ args }) => !String(args[0]).includes('Lit is in dev mode'),
  plugins: [
    bundleReactTests,
    esbuildPlugin({
      ts: true,
      target: 'es2022',
      tsconfig: here('packages/elements/tsconfig.json'),
    }),
  ],
  browsers: Object.values(engines()),
  concurrency: 2,
  testFramework: { config: { timeout: 10_000 } },
  // A machine with more to do than it can takes its time to open a window.
  browserStartTimeout: 90_000,
  testsStartTimeout: 60_000,
  testsFinishTimeout: 180_000,
  reporters: [summaryReporter(), countsReporter()],
};
