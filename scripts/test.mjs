/**
 * `npm test`: everything that must pass, the cheapest to find first. It goes on after a failure, so
 * that one run tells all, and ends with one line of totals.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';

const results = 'test-results';
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const json = (name) => `${results}/${name}.json`;
const vitest = (name, what) => ({
  name,
  command: `npx vitest run ${what} --reporter=default --reporter=json --outputFile.json=${json(name)}`,
  count: ({ numPassedTests, numFailedTests }) => [numPassedTests, numFailedTests],
});

/** A stage without `count` is one test: it passes when its command does. */
const quick = [
  { name: 'format-and-lint', command: 'npx biome check .' },
  { name: 'types', command: 'npx tsc -b' },
  vitest('boundaries', '--project boundaries'),
  { name: 'build', command: 'npm run --silent build:web && npm run --silent build -w demo' },
  { name: 'build-server', command: 'npm run --silent build:server' },
  vitest('packed', '--project packed'),
  {
    name: 'size',
    command: 'node scripts/size.mjs',
    count: ({ passed, failed }) => [passed, failed],
  },
];

/**
 * What the client does in programs and schedules by the ten thousand is nothing but work: it takes what
 * the long stages leave of the processor, and keeps none of them waiting.
 */
const programs = vitest('programs', 'packages/client/src/lib/cuts packages/client/src/lib/model');
const beside = { ...programs, command: `nice ${programs.command}` };

/**
 * Two of these run at once, and the next one begins when one ends: browsers and servers wait for
 * half of their time. The stories need what the stage `build` built.
 */
const long = [
  {
    name: 'elements',
    command: 'npm run --silent test:elements',
    count: ({ passed, failed }) => [passed, failed],
  },
  vitest(
    'unit',
    "--project '!boundaries' --exclude 'packed/**' --exclude 'src/lib/{cuts,model}/**'",
  ),
  {
    name: 'e2e',
    command: 'node scripts/with-browser.mjs playwright test',
    count: ({ stats }) => [stats.expected, stats.unexpected + stats.flaky],
  },
  {
    name: 'snapshots',
    command: 'npm run --silent snapshots',
    count: ({ passed, failed }) => [passed, failed],
  },
];

let passed = 0;
let failed = 0;
for (const stage of quick) {
  console.log(`\n▶ ${stage.name}`);
  console.log(await run(stage, 'inherit'));
}
await Promise.all([runApart(beside), runLong(), runLong()]);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

async function runLong() {
  for (let stage = long.shift(); stage; stage = long.shift()) await runApart(stage);
}

/** Shows what a stage said once it has ended: nobody can read what several say at the same time. */
async function runApart(stage) {
  const path = `${results}/${stage.name}.log`;
  console.log(`\n▷ ${stage.name} has begun, and writes to ${path}`);
  const log = openSync(path, 'w');
  const summary = await run(stage, log);
  closeSync(log);
  console.log(`\n▶ ${stage.name}\n${readFileSync(path, 'utf8')}${summary}`);
}

async function run(stage, output) {
  const started = Date.now();
  const child = spawn(stage.command, {
    shell: true,
    stdio: ['inherit', output, output],
    env: { ...process.env, INLAY_TEST_RESULTS: results },
  });
  const [status] = await once(child, 'close');
  const [good, bad] = outcome(stage, status === 0);
  passed += good;
  failed += bad;
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  return `${bad === 0 ? '✔' : '✘'} ${stage.name}: ${good} of ${good + bad} in ${seconds} s`;
}

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
