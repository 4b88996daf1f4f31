/**
 * `npm test`: everything that must pass, in the order in which a failure is cheapest to find. It
 * goes on after a failure, so that one run tells all, and ends with one line of totals.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';

const results = 'test-results';
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const json = (name) => `${results}/${name}.json`;
const vitest = (name, project) => ({
  name,
  command: `npx vitest run --project ${project} --reporter=default --reporter=json --outputFile.json=${json(name)}`,
  count: ({ numPassedTests, numFailedTests }) => [numPassedTests, numFailedTests],
});

/** A stage without `count` is one test: it passes when its command does. */
const stages = [
  { name: 'format-and-lint', command: 'npx biome check .' },
  { name: 'types', command: 'npx tsc -b' },
  vitest('boundaries', 'boundaries'),
  vitest('unit', "'!boundaries'"),
  {
    name: 'elements',
    command: 'npm run --silent test:elements',
    count: ({ passed, failed }) => [passed, failed],
  },
  {
    name: 'snapshots',
    command: 'npm run --silent snapshots',
    count: ({ passed, failed }) => [passed, failed],
  },
  { name: 'build', command: 'npm run --silent build:web && npm run --silent build -w demo' },
  {
    name: 'e2e',
    command: 'node scripts/with-browser.mjs playwright test',
    count: ({ stats }) => [stats.expected, stats.unexpected + stats.flaky],
  },
  {
    name: 'size',
    command: 'node scripts/size.mjs',
    count: ({ passed, failed }) => [passed, failed],
  },
];

let passed = 0;
let failed = 0;
for (const stage of stages) {
  const started = Date.now();
  console.log(`\n▶ ${stage.name}`);
  const { status } = spawnSync(stage.command, {
    shell: true,
    stdio: 'inherit',
    env: { ...process.env, INLAY_TEST_RESULTS: results },
  });
  const [good, bad] = outcome(stage, status === 0);
  passed += good;
  failed += bad;
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${bad === 0 ? '✔' : '✘'} ${stage.name}: ${good} of ${good + bad} in ${seconds} s`);
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Passed and failed. A stage that broke down without a failed test is itself a failure. */
function outcome(stage, succeeded) {
  if (!stage.count) return succeeded ? [1, 0] : [0, 1];
  try {
    const [good, bad] = stage.count(JSON.parse(readFileSync(json(stage.name), 'utf8')));
    return [good, succeeded ? bad : Math.max(bad, 1)];
  } catch {
    return [0, 1];
  }
}
