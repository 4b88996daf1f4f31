import type { Meter } from './clients/meter.ts';
import type { Tally } from './clients/tally.ts';

/** What a worker needs to begin. */
export interface Start {
  /** The platform behind the network, and itself. */
  proxy: string;
  platform: string;
  apiKey: string;
  people: string[];
}

/** What a process holds at a moment. Bytes after a garbage collection. */
export interface Held {
  heapUsed: number;
  rss: number;
  /** What keeps the process alive, by its kind. */
  resources: Record<string, number>;
}

/** Work of a process since the previous `lap`, in milliseconds. */
export interface Lap {
  /** Processor time, of all its threads. */
  processor: number;
  /** The longest time that its event loop was blocked. */
  delay: number;
}

/** Questions of the run to its processes. The platform answers `hold` and `lap` only. */
export interface Questions {
  start: { given: Start; answer: null };
  hold: { given: null; answer: Held & { meter?: Meter } };
  lap: { given: null; answer: Lap };
  /** Takes the token of one of the worker's people back. */
  revoke: { given: null; answer: null };
  /** Tells every second browser whether there is a network. */
  network: { given: { online: boolean }; answer: null };
  /** Brings every conversation to an end, within so many milliseconds, and says what was found. */
  finish: { given: { patience: number }; answer: Tally };
}
export type Question = keyof Questions;

export interface Asked<Name extends Question = Question> {
  id: number;
  question: Name;
  given: Questions[Name]['given'];
}

export interface Answered {
  id: number;
  answer?: unknown;
  error?: string;
}

export type Answers = {
  [Name in Question]?: (
    given: Questions[Name]['given'],
  ) => Promise<Questions[Name]['answer']> | Questions[Name]['answer'];
};
