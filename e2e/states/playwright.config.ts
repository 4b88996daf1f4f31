import { defineConfig } from '@playwright/test';

const results = process.env.INLAY_TEST_RESULTS;

/** `npm run snapshots`: each state of the widget, compared with its image and audited. */
export default defineConfig({
  testDir: '.',
  testMatch: 'snapshots.ts',
  snapshotPathTemplate: 'images/{arg}{ext}',
  outputDir: '../../test-results/snapshots',
  fullyParallel: true,
  workers: 2,
  timeout: 90_000,
  expect: {
    timeout: 20_000,
    // The edge of a letter may differ, but never a letter.
    toHaveScreenshot: { threshold: 0.1, maxDiffPixels: 20 },
  },
  reporter: results
    ? [['dot'], ['json', { outputFile: `../../${results}/snapshots.json` }]]
    : [['dot']],
});
