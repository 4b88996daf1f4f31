/**
 * `npm test` runs the tests that every change needs; `npm run test:all` runs all other tests.
 * `scripts/testing/selection.mjs` divides the tests between them. A failure doesn't end a run: the
 * last lines name every failed test and give the totals. `npm test -- unit size` runs only the stages
 * with these names.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { engines } from './engines/engines.mjs';
import { failureLine, playwrightReport, vitestReport } from './testing/reports.mjs';
import { summarize } from './testing/summary.mjs';

const { positionals } = parseArgs({ allowPositionals: true });
const isRest = positionals[0] === 'rest';
const requestedStages = isRest ? positionals.slice(1) : positionals;
process.env.INLAY_TESTS = isRest ? 'rest' : 'main';
const results = `test-results/${process.env.INLAY_TESTS}`;
process.env.INLAY_TEST_RESULTS = results;
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const json = (name) => `${results}/${name}.json`;
const unit = {
  name: 'unit',
  command: `npx vitest run --reporter=default --reporter=json --outputFile.json=${json('unit')}`,
  read: vitestReport,
};
/** A stage whose command writes a `Report` (`testing/reports.mjs`). */
const reportingStage = (name, command) => ({ name, command, read: (report) => report });

const webBuild = 'npm run --silent build:web && npm run --silent build -w demo';
const elements = reportingStage('elements', 'npm run --silent test:elements');
const stories = {
  name: 'e2e',
  command: 'node scripts/with-browser.mjs playwright test',
  read: playwrightReport,
};

/**
 * A stage without `read` is one test, which passes if the command succeeds. The stages of `tests` start
 * when the stages of `first` have ended. Two stages run at a time, because browsers and servers spend
 * half of their time waiting.
 */
const main = {
  first: [
    { name: 'build', command: webBuild },
    { name: 'types', command: 'npx tsc -b' },
    { name: 'dependencies', command: 'npm run --silent check:dependencies' },
    { name: 'api', command: 'npm run --silent check:api' },
    { name: 'format-and-lint', command: 'npx biome check .' },
  ],
  tests: [elements, unit, stories, reportingStage('size', 'node scripts/size.mjs')],
};

const rest = {
  first: [
    // Required by the tests of the packed packages and by the e2e stories.
    { name: 'build', command: `npx tsc -b && ${webBuild} && npm run --silent build:server` },
  ],
  tests: [
    ...(Object.keys(engines()).length > 0 ? [elements] : []),
    unit,
    stories,
    { name: 'snapshots', command: 'npm run --silent snapshots', read: playwrightReport },
    { name: 'docs', command: 'npm run --silent docs:build' },
  ],
};

const { first, tests } = isRest ? rest : main;
const stageNames = [...first, ...tests].map(({ name }) => name);
const unknown = requestedStages.find((name) => !stageNames.includes(name));
if (unknown !== undefined) {
  console.error(`There is no stage “${unknown}”. The stages are ${stageNames.join(', ')}.`);
  process.exit(1);
}
const isRequested = ({ name }) => requestedStages.length === 0 || requestedStages.includes(name);
const total = { passed: 0, failed: 0 };
const failedTests = [];
const started = Date.now();

await runAll(first.filter(isRequested));
await runAll(tests.filter(isRequested));

const seconds = Math.round((Date.now() - started) / 1000);
console.log(`\nThe whole run took ${Math.floor(seconds / 60)} min ${seconds % 60} s.`);
summarize(process.env.INLAY_TESTS, { ...total, lines: failedTests });
process.exit(total.failed === 0 ? 0 : 1);

/** Runs stages in their order, two at a time. */
async function runAll(stages) {
  const queue = [...stages];
  const runNext = async () => {
    for (let stage = queue.shift(); stage; stage = queue.shift()) await run(stage);
  };
  await Promise.all([runNext(), runNext()]);
}

/** Runs a stage and prints its output at the end, so that concurrent stages do not interleave. */
async function run(stage) {
  const path = `${results}/${stage.name}.log`;
  console.log(`▷ ${stage.name} has started, and writes to ${path}`);
  const start = Date.now();
  const log = openSync(path, 'w');
  const child = spawn(stage.command, { shell: true, stdio: ['inherit', log, log] });
  const [status] = await once(child, 'close');
  closeSync(log);
  const output = readFileSync(path, 'utf8');
  const { passed, failed, failures } = reportOf(stage, status === 0, output);
  total.passed += passed;
  total.failed += failed;
  failedTests.push(...failures.map((failure) => failureLine(stage.name, failure)));
  const mark = failed === 0 ? '✔' : '✘';
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  console.log(`\n▶ ${stage.name}\n${output}`);
  console.log(`${mark} ${stage.name}: ${passed} of ${passed + failed} in ${seconds} s\n`);
}

/** The report of a stage. A command that fails without a failed test is itself a failed test. */
function reportOf({ name, read }, succeeded, output) {
  let report = { passed: succeeded ? 1 : 0, failed: 0, failures: [] };
  let unreadableReport = '';
  try {
    if (read) report = read(JSON.parse(readFileSync(json(name), 'utf8')));
  } catch (error) {
    unreadableReport = `no report: ${error.message}`;
  }
  if (report.failed > 0 || (succeeded && !unreadableReport)) return report;
  const lines = stripVTControlCharacters(output).trim().split('\n');
  const message =
    unreadableReport || lines.findLast((line) => /error|✘|✖|×/i.test(line)) || lines.at(-1);
  return {
    passed: report.passed,
    failed: 1,
    failures: [{ file: '', title: `see ${results}/${name}.log`, message }],
  };
}
