import { fileURLToPath } from 'node:url';
import { summaryReporter } from '@web/test-runner';
import { launchers } from './scripts/engines/engines.mjs';
import { processorTimeCommand } from './scripts/engines/processor-time.mjs';
import { screenshotCommand } from './scripts/engines/screenshot.mjs';
import { bundleTests } from './scripts/testing/bundle-tests.mjs';
import { countsReporter } from './scripts/testing/counts-reporter.mjs';
import { unreliableFiles } from './scripts/testing/unreliable-files.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const browserTests = [
  'packages/elements/src/**/*.test.ts',
  'packages/loader/src/**/*.test.ts',
  'packages/hosted/src/**/*.test.ts',
  'packages/react/src/**/*.browser.test.tsx',
];

/** The tests that need a real DOM. They load the packages from source, so that they need no build. */
export default {
  rootDir: here('.'),
  files: browserTests,
  plugins: [bundleTests(browserTests), screenshotCommand(), processorTimeCommand()],
  middleware: [unreliableFiles],
  browsers: launchers(),
  concurrency: 2,
  // A busy machine takes long, also to open a window.
  testFramework: { config: { timeout: 120_000 } },
  browserStartTimeout: 90_000,
  testsStartTimeout: 60_000,
  testsFinishTimeout: 600_000,
  reporters: [summaryReporter(), countsReporter()],
};
