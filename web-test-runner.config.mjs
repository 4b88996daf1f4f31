import { fileURLToPath } from 'node:url';
import { summaryReporter } from '@web/test-runner';
import { bundleTests } from './scripts/bundle-tests.mjs';
import { countsReporter } from './scripts/counts-reporter.mjs';
import { engines } from './scripts/engines/engines.mjs';
import { processorTimeCommand } from './scripts/engines/processor-time.mjs';
import { screenshotCommand } from './scripts/engines/screenshot.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Tests of everything that needs a real DOM. They run from source: nothing is built before. */
export default {
  rootDir: here('.'),
  files: [
    'packages/{elements,loader,hosted}/src/**/*.test.ts',
    'packages/react/src/**/*.browser.test.tsx',
  ],
  // Playwright's page has a console of its own; Lit's reminder that it runs in dev mode is noise.
  filterBrowserLogs: ({ args }) => !String(args[0]).includes('Lit is in dev mode'),
  plugins: [
    bundleTests([
      'packages/elements/src/**/*.test.ts',
      'packages/loader/src/**/*.test.ts',
      'packages/hosted/src/**/*.test.ts',
      'packages/react/src/**/*.browser.test.tsx',
    ]),
    screenshotCommand(),
    processorTimeCommand(),
  ],
  browsers: Object.values(engines()),
  concurrency: 2,
  // A machine with more to do than it can takes its time, also to open a window.
  testFramework: { config: { timeout: 120_000 } },
  browserStartTimeout: 90_000,
  testsStartTimeout: 60_000,
  testsFinishTimeout: 600_000,
  reporters: [summaryReporter(), countsReporter()],
};
