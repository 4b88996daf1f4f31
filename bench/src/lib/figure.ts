import type { Row } from './row.ts';

export interface BenchOptions {
  /** Number of rounds. Single figures may use another number. */
  rounds: number;
  /** Number of open streams of the server figures. */
  streams: number;
  /** Number of messages in the longest conversation of the figure `conversation`. */
  messages: number;
  /** Duration of the load in each round of `issuance`, in seconds. */
  seconds: number;
}

/** Result of a figure, with notes for its interpretation. */
export interface FigureResult {
  rows: Row[];
  notes: string[];
}

export interface Figure {
  name: string;
  title: string;
  take(options: BenchOptions): Promise<FigureResult>;
}
