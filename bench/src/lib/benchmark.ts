import type { Row } from './row.ts';

export interface BenchOptions {
  /** Number of rounds. Slow benchmarks use fewer. */
  rounds: number;
  /** Number of open streams of the server benchmarks. */
  streams: number;
  /** Number of messages in the longest conversation of the benchmark `conversation`. */
  messages: number;
  /** Duration of the load in each round of `issuance`, in seconds. */
  seconds: number;
}

/** Result of a benchmark, with notes for its interpretation. */
export interface BenchmarkResult {
  rows: Row[];
  notes: string[];
}

export interface Benchmark {
  name: string;
  title: string;
  run(options: BenchOptions): Promise<BenchmarkResult>;
}
