import { stripVTControlCharacters } from 'node:util';
import type { Benchmark, BenchOptions } from './benchmark.ts';
import type { Outcome } from './report.ts';

/** Runs the benchmarks sequentially. A failed benchmark does not stop the others. */
export async function* runBenchmarks(
  benchmarks: readonly Benchmark[],
  options: BenchOptions,
): AsyncGenerator<Outcome> {
  for (const benchmark of benchmarks) {
    const started = Date.now();
    console.error(`▶ ${benchmark.name}`);
    const outcome = await runBenchmark(benchmark, options);
    const seconds = Math.round((Date.now() - started) / 1000);
    console.error(
      outcome.failure === null
        ? `✔ ${benchmark.name}, ${seconds} s`
        : `✘ ${benchmark.name} FAILED, ${seconds} s: ${outcome.failure}`,
    );
    yield outcome;
  }
}

async function runBenchmark(benchmark: Benchmark, options: BenchOptions): Promise<Outcome> {
  const { name, title } = benchmark;
  try {
    const { rows, notes } = await benchmark.run(options);
    return { name, title, rows, notes, failure: null };
  } catch (error) {
    return { name, title, rows: [], notes: [], failure: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  // Error messages of build tools can contain escape sequences for colours.
  return stripVTControlCharacters(error instanceof Error ? error.message : String(error));
}
