import { mkdirSync, writeFileSync } from 'node:fs';

/**
 * A reporter of web-test-runner that says how many tests passed in each engine and how long its
 * files took together, and writes the sum for `npm test`.
 */
export function countsReporter() {
  return {
    stop({ sessions }) {
      const engines = new Map();
      for (const session of sessions) {
        const { name } = session.browser;
        const counts = engines.get(name) ?? { passed: 0, failed: 0, files: 0 };
        engines.set(name, counts);
        counts.files += 1;
        countSuite(session.testResults, counts);
        // A file that could not even be loaded has no results, and is a failure all the same.
        if (!session.passed && !session.testResults) counts.failed += 1;
      }
      const total = { passed: 0, failed: 0 };
      for (const [name, { passed, failed, files }] of engines) {
        console.log(`${name}: ${passed} of ${passed + failed}, in ${files} files`);
        total.passed += passed;
        total.failed += failed;
      }
      const folder = process.env.INLAY_TEST_RESULTS;
      if (!folder) return;
      mkdirSync(folder, { recursive: true });
      writeFileSync(`${folder}/elements.json`, JSON.stringify(total));
    },
  };
}

function countSuite(suite, counts) {
  for (const test of suite?.tests ?? []) {
    if (!test.skipped) counts[test.passed ? 'passed' : 'failed'] += 1;
  }
  for (const inner of suite?.suites ?? []) countSuite(inner, counts);
}
