/** Command line of the soak test: runs random programs on a server, and reports what they leave. */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { median } from '../../bench/src/lib/statistics.ts';
import { serverProgram } from './real-environment.ts';

const help = `Runs random programs of users, network faults and server restarts on a server behind the fault proxy.
Each program checks that nothing is lost or repeated.

  npx tsx --conditions=source e2e/soak/main.ts [--minutes 60] [--seed <number>]

Exits with code 1 after the first program that fails, with a minimized program and its seed, or if the
memory or the number of handles grows. Runs of less than ten minutes are too short to detect growth.
`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(help);
  process.exit(0);
}
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0 && Number.isInteger(seed))) {
  process.stderr.write(`--minutes must be positive, and --seed an integer.\n\n${help}`);
  process.exit(1);
}

/** Number of programs between two measurements. */
const batchSize = 100;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const heaps: number[] = [];
const handles: number[] = [];
const end = performance.now() + minutes * 60_000;

for (let batch = 0; performance.now() < end; batch += 1) {
  const options = { numRuns: batchSize, seed: seed + batch };
  const result = await fc.check(serverProgram, options);
  if (result.failed) {
    process.stdout.write(`Seed ${options.seed}: ${fc.defaultReportMessage(result)}\n`);
    process.exit(1);
  }
  collectGarbage();
  heaps.push(process.memoryUsage().heapUsed / 2 ** 20);
  handles.push(process.getActiveResourcesInfo().length);
  process.stdout.write(
    `${(batch + 1) * batchSize} programs: heap ${Math.round(heaps.at(-1) ?? 0)} MiB, ${handles.at(-1)} handles\n`,
  );
}

if (minutes < 10) {
  process.stdout.write('Nothing was lost or repeated. The run was too short to detect growth.\n');
  process.exit(0);
}

/** The median of the second quarter, which is after the warm-up, and the median of the last quarter. */
const growth = (values: readonly number[]) => {
  const quarter = Math.ceil(values.length / 4);
  return [median(values.slice(quarter, 2 * quarter)), median(values.slice(-quarter))] as const;
};
const findings = Object.entries({ 'heap in MiB': heaps, handles }).flatMap(([name, values]) => {
  const [early, late] = growth(values);
  return late > early * 1.15 + 4 ? [`grew: ${name}, from ${early} to ${late}`] : [];
});
process.stdout.write(
  `${findings.join('\n') || 'Nothing was lost or repeated, and nothing grew.'}\n`,
);
process.exit(findings.length === 0 ? 0 : 1);
