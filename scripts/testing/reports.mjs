/** Reads the JSON reports of the test runners: the number of passed tests, and each failed test. */
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/**
 * @typedef {object} Failure
 * @property {string} file Path from the root of the repository.
 * @property {string} title Title of the test, preceded by the titles of its `describe` blocks.
 * @property {string} message Message of the error.
 *
 * @typedef {{ passed: number, failed: number, failures: Failure[] }} Report
 */

/** Message of a test or hook that timed out in the report of Vitest. */
const timeoutPlaceholder = 'Error: STACK_TRACE_ERROR';

/**
 * Reads the report of Vitest's `json` reporter.
 *
 * @returns {Report}
 */
export function vitestReport({ numPassedTests, numFailedTests, testResults }) {
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = fromRoot(name);
    const failed = assertionResults
      .filter((test) => test.status === 'failed')
      .map(({ ancestorTitles, title, failureMessages }) => ({
        file,
        title: [...ancestorTitles, title].join(' › '),
        message: (failureMessages[0] ?? '').replace(timeoutPlaceholder, 'timed out'),
      }));
    // A file whose import or hook failed has no failed test.
    if (failed.length === 0 && status === 'failed') failed.push({ file, title: '', message });
    return failed;
  });
  return {
    passed: numPassedTests,
    failed: Math.max(numFailedTests, failures.length),
    failures,
  };
}

/**
 * Reads the report of Playwright's `json` reporter. A flaky test counts as failed.
 *
 * @returns {Report}
 */
export function playwrightReport({ config, stats, suites, errors = [] }) {
  const failures = errors.map(({ message, location }) => ({
    file: location ? fromRoot(location.file) : '',
    title: '',
    message,
  }));
  const visit = ({ specs = [], suites: inner = [] }, titles = []) => {
    for (const { title: last, file, tests } of specs) {
      const title = [...titles, last].join(' › ');
      for (const { status, results } of tests) {
        if (status === 'expected' || status === 'skipped') continue;
        const message = results.flatMap(({ errors }) => errors)[0]?.message ?? status;
        failures.push({ file: fromRoot(join(config.rootDir, file)), title, message });
      }
    }
    for (const suite of inner) visit(suite, [...titles, suite.title]);
  };
  // The outermost suites are the files.
  for (const suite of suites) visit(suite);
  const failed = stats.unexpected + stats.flaky;
  return { passed: stats.expected, failed: Math.max(failed, failures.length), failures };
}

/**
 * Formats a failure as one line: stage, file, title, the first line of the message, and the lines of the
 * message with the expected and the received value.
 */
export function failureLine(stage, { file, title, message }) {
  const [first = '', ...rest] = stripVTControlCharacters(message ?? '')
    .trim()
    .split('\n');
  const values = rest.filter((line) => /^(Expected|Received)\b/.test(line));
  return `✘ ${[stage, file, title, first, ...values].filter(Boolean).join(' › ')}`.slice(0, 600);
}

const fromRoot = (path) => relative(process.cwd(), path);
