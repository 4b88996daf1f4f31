/**
 * `npm run bench [-- <name> …]`: runs benchmarks, prints the results and saves them in
 * `bench/results/`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findBenchmarks, names } from './benchmarks.ts';
import type { BenchOptions } from './lib/benchmark.ts';
import { describeMachine } from './lib/machine.ts';
import { type Outcome, type Report, toMarkdown } from './lib/report.ts';
import { runBenchmarks } from './lib/run-benchmarks.ts';

// Unlike the default action of the signal, `process.exit` runs the exit handlers, which delete temporary folders.
process.on('SIGINT', () => process.exit(130));
const help = `Runs benchmarks, each with its baseline, and writes the results to bench/results/.

  npm run bench [-- <name> …] [--rounds 5] [--streams 10000] [--messages 5000] [--seconds 2]

Names: ${names().join(', ')}. Default: all benchmarks.
--rounds    measurements per benchmark; slow benchmarks use fewer
--streams   open streams of the server benchmarks
--messages  messages of the long conversation
--seconds   duration of the load in each round of issuance
`;
const { values, positionals } = readArguments();
if (values.help) {
  process.stdout.write(help);
  process.exit(0);
}
const options: BenchOptions = {
  rounds: positive('rounds', values.rounds),
  streams: positive('streams', values.streams),
  // Rounded up to complete pairs of question and answer.
  messages: Math.ceil(positive('messages', values.messages) / 2) * 2,
  seconds: positive('seconds', values.seconds),
};
const resultsFolder = fileURLToPath(new URL('../results', import.meta.url));
mkdirSync(resultsFolder, { recursive: true });

let failed = false;
for (const name of positionals.length > 0 ? positionals : ['all']) {
  const benchmarks = findBenchmarks(name);
  if (!benchmarks) exit(`Unknown benchmark "${name}". Available: ${names().join(', ')}.`);
  const outcomes: Outcome[] = [];
  const report: Report = {
    machine: describeMachine(new Date()),
    settings: `${options.rounds} rounds, ${options.streams} streams, ${options.messages} messages, ${options.seconds} s of load`,
    benchmarks: outcomes,
  };
  for await (const outcome of runBenchmarks(benchmarks, options)) {
    outcomes.push(outcome);
    // Saved after each benchmark, so that an aborted run keeps its results.
    writeFileSync(join(resultsFolder, `${name}.md`), toMarkdown(report));
    writeFileSync(join(resultsFolder, `${name}.json`), `${JSON.stringify(report, null, 2)}\n`);
  }
  console.log(toMarkdown(report));
  failed ||= report.benchmarks.some(({ failure }) => failure !== null);
}
// A missed target is a valid result; only a benchmark that could not run is a failure.
process.exit(failed ? 1 : 0);

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        rounds: { type: 'string', default: '5' },
        streams: { type: 'string', default: '10000' },
        messages: { type: 'string', default: '5000' },
        seconds: { type: 'string', default: '2' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return exit(`${error instanceof Error ? error.message : error}\n\n${help}`);
  }
}

function positive(name: string, text: string): number {
  const value = Number(text);
  return Number.isInteger(value) && value > 0
    ? value
    : exit(`--${name} must be a whole number above 0, not "${text}".`);
}

function exit(message: string): never {
  console.error(message);
  process.exit(1);
}
