/**
 * `npm run check`, `npm test`, `npm run test:all`, and the smoke tests of `.ci/run`: runs the test runners, two
 * at a time, and adds their totals. A failure doesn't end a run: the last lines name every failed test and give the totals.
 * `npm test -- unit size` runs only the stages with these names.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { installedEngines } from './engines/engines.mjs';
import { failureLine, playwrightReport, vitestReport } from './testing/reports.mjs';
import { summarize } from './testing/summary.mjs';

const [command = '', ...requested] = process.argv.slice(2);
const results = `test-results/${command}`;
process.env.INLAY_TEST_RESULTS = results;
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

/** A stage whose command writes a `Report` (`testing/reports.mjs`). */
const reporting = (name, command) => ({ name, command, read: (report) => report });

const vitest = (name, args, variables = '') => ({
  name,
  command: `${variables} npx vitest run --reporter=default --reporter=json --outputFile.json=${results}/${name}.json ${args}`,
  read: vitestReport,
});

const playwright = (name, args) => ({
  name,
  command: `PLAYWRIGHT_JSON_OUTPUT_FILE=${results}/${name}.json node scripts/with-browser.mjs playwright test --reporter=list,json ${args}`,
  read: playwrightReport,
});

const elements = (engines) =>
  reporting('elements', `INLAY_ENGINES=${engines} npm run --silent test:elements`);

const webBuild = 'npm run --silent build:web && npm run --silent build -w demo';
const otherEngines =
  command === 'slow' ? installedEngines().filter((name) => name !== 'chromium') : [];

/** The generated files that are committed. Files of `.gitignore` have no difference. */
const generated = {
  name: 'generated',
  command:
    'paths=$(npm run --silent generate) && git diff --exit-code -- $paths || { echo "✘ Commit the generated files."; exit 1; }',
};

/** Stages that need no installation besides `npm ci`. */
const check = [
  { name: 'types', command: 'npx tsc -b' },
  { name: 'lint', command: 'npx biome check .' },
  {
    name: 'dependencies',
    command: 'npx depcruise --config dependency-cruiser.config.mjs packages/*/src demo/src',
  },
  { name: 'api', command: 'node --conditions=source --import tsx scripts/api/main.ts' },
];

/** Tests of what differs between versions of Node: streams, files, child processes, and a whole demo. */
const smoke = [
  [{ name: 'build', command: `${webBuild} && node scripts/build-server.mjs` }],
  [
    vitest('unit', '--project server src/lib/upstreams src/lib/http src/lib/files start-server'),
    vitest('postgres', '--project server-on-postgres sessions limits'),
    playwright('e2e', '--config e2e first-minute.spec.ts'),
  ],
];

/**
 * The stages of each command, in phases: the stages of a phase start when those before have ended. A stage
 * without `read` is one test, which passes if its command succeeds.
 */
const commands = {
  check: [
    [generated],
    [...check, vitest('documents', '--project docs --project scripts', 'INLAY_SLOW_TESTS=no')],
  ],
  main: [
    [generated],
    [{ name: 'build', command: webBuild }, ...check],
    [
      elements(['chromium']),
      vitest('unit', `--project '!server-on-postgres'`, 'INLAY_SLOW_TESTS=no'),
      playwright('e2e', String.raw`--config e2e '(?<!\.slow)\.spec\.ts$'`),
      reporting('size', 'node scripts/size.mjs'),
    ],
  ],
  slow: [
    // Required by the tests of the packed packages and by the stories.
    [{ name: 'build', command: `npm run --silent build && npm run --silent build -w demo` }],
    [
      ...(otherEngines.length > 0 ? [elements(otherEngines)] : []),
      vitest('unit', '.slow.test'),
      playwright('e2e', String.raw`--config e2e '\.slow\.spec\.ts$'`),
      vitest('postgres', '--project server-on-postgres'),
      playwright('snapshots', '--config e2e/states'),
      { name: 'docs', command: 'npm run --silent docs build' },
    ],
  ],
  node22: smoke,
  node24: smoke,
};

const phases = commands[command];
// Two stages that build the server at the same time, or while the other one uses it, disturb each other.
if (requested.length === 0 && command !== 'main') process.env.INLAY_SERVER_IS_BUILT = 'yes';
const names = phases.flat().map(({ name }) => name);
const unknown = requested.find((name) => !names.includes(name));
if (unknown !== undefined) {
  console.error(`There is no stage “${unknown}”. The stages are ${names.join(', ')}.`);
  process.exit(1);
}
const total = { passed: 0, failed: 0, lines: [] };
const started = Date.now();
for (const stages of phases) await runAll(stages);
console.log(`\nThe whole run took ${Math.round((Date.now() - started) / 1000)} s.`);
summarize(command, total);
process.exit(total.failed === 0 ? 0 : 1);

/** Runs the requested stages in their order, two at a time: browsers and servers wait half of their time. */
async function runAll(stages) {
  const queue = stages.filter(({ name }) => requested.length === 0 || requested.includes(name));
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
  total.lines.push(...failures.map((failure) => failureLine(stage.name, failure)));
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  console.log(`\n▶ ${stage.name}\n${output}`);
  console.log(
    `${failed === 0 ? '✔' : '✘'} ${stage.name}: ${passed} of ${passed + failed} in ${seconds} s\n`,
  );
}

/** The report of a stage. A command that fails without a failed test is itself a failed test. */
function reportOf({ name, read }, succeeded, output) {
  let report = { passed: succeeded ? 1 : 0, failed: 0, failures: [] };
  let unreadable = '';
  try {
    if (read) report = read(JSON.parse(readFileSync(`${results}/${name}.json`, 'utf8')));
  } catch (error) {
    unreadable = `no report: ${error.message}`;
  }
  if (report.failed > 0 || (succeeded && !unreadable)) return report;
  const lines = stripVTControlCharacters(output).trim().split('\n');
  const message = unreadable || lines.findLast((line) => /error|✘|✖|×/i.test(line)) || lines.at(-1);
  const title = `see ${results}/${name}.log`;
  return { passed: report.passed, failed: 1, failures: [{ file: '', title, message }] };
}
