import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureLine, playwrightReport, vitestReport } from './reports.mjs';

const file = (path: string) => join(process.cwd(), path);

/** A test file in a report of Vitest. */
const testFile = (path: string, assertionResults: object[], message = '') => ({
  name: file(path),
  status: 'failed',
  message,
  assertionResults,
});

const failedTest = (title: string, message: string, ancestorTitles: string[] = []) => ({
  status: 'failed',
  ancestorTitles,
  title,
  failureMessages: [message],
});

describe('the report of Vitest', () => {
  it('contains each failed test, and each file that could not be loaded', () => {
    const report = vitestReport({
      numPassedTests: 4,
      numFailedTests: 1,
      testResults: [
        testFile('demo/src/a.test.ts', [
          { status: 'passed', ancestorTitles: [], title: 'adds', failureMessages: [] },
          failedTest('carries', 'expected 1 to be 2', ['a sum']),
        ]),
        testFile('demo/src/b.test.ts', [], 'no such module'),
      ],
    });

    expect(report).toEqual({
      passed: 4,
      failed: 2,
      failures: [
        { file: 'demo/src/a.test.ts', title: 'a sum › carries', message: 'expected 1 to be 2' },
        { file: 'demo/src/b.test.ts', title: '', message: 'no such module' },
      ],
    });
  });

  it('reports a timeout in place of the message `STACK_TRACE_ERROR`', () => {
    const message = 'Error: STACK_TRACE_ERROR\n    at demo/src/a.test.ts:3:1';
    const report = vitestReport({
      numPassedTests: 0,
      numFailedTests: 1,
      testResults: [testFile('demo/src/a.test.ts', [failedTest('waits', message)])],
    });

    expect(report.failures[0]?.message).toBe('timed out\n    at demo/src/a.test.ts:3:1');
  });
});

describe('the report of Playwright', () => {
  it('contains each failed story, including stories inside a describe block', () => {
    const spec = (title: string, status: string, message?: string) => ({
      title,
      file: 'tabs.spec.ts',
      tests: [{ status, results: [{ errors: message ? [{ message }] : [] }] }],
    });
    const report = playwrightReport({
      config: { rootDir: file('e2e/stories') },
      stats: { expected: 1, unexpected: 1, flaky: 0 },
      suites: [
        {
          specs: [spec('opens', 'expected')],
          title: 'tabs.spec.ts',
          suites: [{ title: 'on a phone', specs: [spec('closes', 'unexpected', 'no panel')] }],
        },
      ],
    });

    expect(report).toEqual({
      passed: 1,
      failed: 1,
      failures: [
        { file: 'e2e/stories/tabs.spec.ts', title: 'on a phone › closes', message: 'no panel' },
      ],
    });
  });
});

describe('the line of a failed test', () => {
  it('has the stage, the file, the title and the first line of the message, without colours', () => {
    const message = '\u001b[31mexpected 1\u001b[39m\n  at x.ts';

    expect(failureLine('unit', { file: 'a.test.ts', title: 'carries', message })).toBe(
      '✘ unit › a.test.ts › carries › expected 1',
    );
  });

  it('has the expected and the received value, if the message has lines for them', () => {
    const message = 'toHaveText failed\n\nLocator: x\nExpected: "a"\nReceived: "b"\n  at x.ts';

    expect(failureLine('e2e', { file: 'a.spec.ts', title: 'greets', message })).toBe(
      '✘ e2e › a.spec.ts › greets › toHaveText failed › Expected: "a" › Received: "b"',
    );
  });
});
