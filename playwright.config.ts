import { defineConfig } from '@playwright/test';
import { chromiumLaunchOptions } from './scripts/find-chromium.mjs';
import { stories } from './scripts/testing/selection.mjs';

const results = process.env.INLAY_TEST_RESULTS;

/** Stories in a real browser with the whole system: `e2e/fixtures.ts` starts a demo for each worker. */
export default defineConfig({
  testDir: 'e2e/stories',
  ...stories(),
  outputDir: 'test-results/e2e',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // Long enough for a busy machine, short enough to end a story that hangs.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  reporter: results ? [['list'], ['json', { outputFile: `${results}/e2e.json` }]] : [['list']],
  use: {
    browserName: 'chromium',
    launchOptions: chromiumLaunchOptions(),
    // A trace takes a fifth of the time: `npx playwright test --trace retain-on-failure` records one.
    trace: 'off',
    viewport: { width: 1280, height: 800 },
  },
});
