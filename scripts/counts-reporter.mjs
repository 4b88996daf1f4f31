import { mkdirSync, writeFileSync } from 'node:fs';

/** A reporter of web-test-runner that writes how many tests passed and failed, for `npm test`. */
export function countsReporter() {
  return {
    stop({ sessions }) {
      const folder = process.env.INLAY_TEST_RESULTS;
      if (!folder) return;
      const counts = { passed: 0, failed: 0 };
      for (const session of sessions) {
        countSuite(session.testResults, counts);
        // A file that could not even be loaded has no results, and is a failure all the same.
        if (!session.passed && !session.testResults) counts.failed += 1;
      }
      mkdirSync(folder, { recursive: true });
      writeFileSync(`${folder}/elements.json`, JSON.stringify(counts));
    },
  };
}

function countSuite(suite, counts) {
  for (const test of suite?.tests ?? []) {
    if (!test.skipped) counts[test.passed ? 'passed' : 'failed'] += 1;
  }
  for (const inner of suite?.suites ?? []) countSuite(inner, counts);
}
