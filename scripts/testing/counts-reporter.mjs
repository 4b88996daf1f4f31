import { mkdirSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * A Web Test Runner reporter that prints the number of passed tests per engine, and writes the
 * totals and the failed tests for `scripts/test.mjs`.
 */
export function countsReporter() {
  return {
    stop({ sessions }) {
      const engines = new Map();
      const failures = [];
      for (const session of sessions) {
        const { name } = session.browser;
        const counts = engines.get(name) ?? { passed: 0, failed: 0, files: 0 };
        engines.set(name, counts);
        counts.files += 1;
        const file = `${relative(process.cwd(), session.testFile)} (${name})`;
        const failedBefore = counts.failed;
        const fail = (title, message) => {
          counts.failed += 1;
          failures.push({ file, title, message });
        };
        countSuite(session.testResults, counts, fail, []);
        // A file that failed to load, or threw outside a test, has no failed test.
        if (!session.passed && counts.failed === failedBefore) {
          fail('', session.errors?.[0]?.message ?? `it ended as ${session.status}`);
        }
      }
      const total = { passed: 0, failed: 0, failures };
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

function countSuite(suite, counts, fail, titles) {
  for (const { name, passed, skipped, error } of suite?.tests ?? []) {
    if (skipped) continue;
    if (passed) counts.passed += 1;
    else fail([...titles, name].join(' › '), error?.message ?? '');
  }
  for (const inner of suite?.suites ?? []) {
    countSuite(inner, counts, fail, [...titles, inner.name]);
  }
}
