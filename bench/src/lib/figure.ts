import type { Row } from './row.ts';

export interface BenchOptions {
  /** How often each contender is taken; a figure may need more or fewer. */
  rounds: number;
  /** Open streams of the server figures. */
  streams: number;
  /** Messages of the long thread of `thread`. */
  messages: number;
  /** Seconds of load in each round of `issuance`. */
  seconds: number;
}

/** What a figure found, with what a reader has to know to read it. */
export interface Taken {
  rows: Row[];
  notes: string[];
}

export interface Figure {
  name: string;
  title: string;
  take(options: BenchOptions): Promise<Taken>;
}
