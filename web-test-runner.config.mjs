import { fileURLToPath } from 'node:url';
import { summaryReporter } from '@web/test-runner';
import { bundleTests } from './scripts/bundle-tests.mjs';
import { countsReporter } from './scripts/counts-reporter.mjs';
import { engines } from './scripts/engines/engines.mjs';
import { processorTimeCommand } from './scripts/engines/processor-time.mjs';
import { screenshotCommand } from './scripts/engines/screenshot.mjs';
import { browserTests } from './scripts/testing/selection.mjs';
import { unreliableFiles } from './scripts/testing/unreliable-files.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The tests that need a real DOM. They load the packages from source, so that they need no build. */
export default {
  rootDir: here('.'),
  files: browserTests,
  // Lit's reminder that it runs in dev mode is noise.
  filterBrowserLogs: ({ args }) => !String(args[0]).includes('Lit is in dev mode'),
  plugins: [bundleTests(browserTests), screenshotCommand(), processorTimeCommand()],
  middleware: [unreliableFiles],
  browsers: Object.values(engines()),
  concurrency: 2,
  // A busy machine takes long, also to open a window.
  testFramework: { config: { timeout: 120_000 } },
  browserStartTimeout: 90_000,
  testsStartTimeout: 60_000,
  testsFinishTimeout: 600_000,
  reporters: [summaryReporter(), countsReporter()],
};
