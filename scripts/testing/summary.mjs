/** Prints failed tests and totals at the end of each test command, and at the end of a CI run. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const folder = 'test-results';
const commands = ['main', 'slow', 'apps', 'node22', 'node24'];

/**
 * Prints a line for each failed test, then the totals.
 *
 * @param {{ passed: number, failed: number, lines: string[] }} summary
 */
function print({ passed, failed, lines }) {
  for (const line of lines) console.log(line);
  console.log(`\n${passed} passed, ${failed} failed`);
}

/** Prints the summary of a command, and stores it for `summarizeAll`. */
export function summarize(command, summary) {
  print(summary);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/${command}.json`, JSON.stringify(summary));
}

/** Prints a summary of all commands. A command without a summary counts as a failed test. */
export function summarizeAll() {
  const summaries = commands.map((command) => {
    const file = `${folder}/${command}.json`;
    try {
      return JSON.parse(readFileSync(file, 'utf8'));
    } catch {
      return { passed: 0, failed: 1, lines: [`✘ ${command} ended before its summary`] };
    } finally {
      // A later run must not count the summary of an earlier one.
      rmSync(file, { force: true });
    }
  });
  const sum = (key) => summaries.reduce((total, summary) => total + summary[key], 0);
  const combined = {
    passed: sum('passed'),
    failed: sum('failed'),
    lines: summaries.flatMap(({ lines }) => lines),
  };
  console.log('\nAll commands together:');
  print(combined);
  return combined;
}
