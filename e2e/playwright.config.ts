import { defineConfig } from '@playwright/test';
import { chromiumLaunchOptions } from '../scripts/find-chromium.mjs';

/**
 * Stories in a real browser with the whole system: `fixtures.ts` starts a demo for each worker. `npm run
 * test:all` runs `*.slow.spec.ts`; `npm test` runs the others, which are the most common user journeys.
 */
export default defineConfig({
  testDir: 'stories',
  outputDir: '../test-results/e2e',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // Long enough for a busy machine, short enough to end a story that hangs.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    launchOptions: chromiumLaunchOptions(),
    // A trace takes a fifth of the time: `npx playwright test --trace retain-on-failure` records one.
    trace: 'off',
    viewport: { width: 1280, height: 800 },
  },
});
