import { defineConfig } from '@playwright/test';

/** `npm run test:e2e -- --config e2e/states`: compares each state of the widget with its image, and audits it. */
export default defineConfig({
  testDir: '.',
  testMatch: 'snapshots.ts',
  snapshotPathTemplate: 'images/{arg}{ext}',
  outputDir: '../../test-results/snapshots',
  fullyParallel: true,
  workers: 2,
  timeout: 180_000,
  expect: {
    timeout: 60_000,
    // Tolerates differences in antialiasing, but not a changed letter.
    toHaveScreenshot: { threshold: 0.1, maxDiffPixels: 20 },
  },
  reporter: [['dot']],
});
