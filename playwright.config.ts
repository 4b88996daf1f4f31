import { defineConfig } from '@playwright/test';
import { chromiumLaunchOptions } from './scripts/find-chromium.mjs';

const results = process.env.INLAY_TEST_RESULTS;

/** The whole system, in a real browser: `e2e/fixtures.ts` starts a demo of its own for each worker. */
export default defineConfig({
  testDir: 'e2e/stories',
  outputDir: 'test-results/e2e',
  fullyParallel: true,
  // More than the two cores: a story waits for half of its time, for words that are made and said.
  workers: 3,
  retries: 0,
  forbidOnly: true,
  // A story that hangs is ended, one on a machine that is busy with others is not.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: results ? [['list'], ['json', { outputFile: `${results}/e2e.json` }]] : [['list']],
  use: {
    browserName: 'chromium',
    launchOptions: chromiumLaunchOptions(),
    // A trace costs a fifth of the time: `npx playwright test --trace retain-on-failure` makes one.
    trace: 'off',
    viewport: { width: 1280, height: 800 },
  },
});
