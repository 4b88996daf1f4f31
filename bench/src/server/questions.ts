/** What the bench asks a measured process. `longest-delay` starts anew with each asking. */
export type Question = 'memory' | 'cpu' | 'longest-delay';

/** Of `memory`, in bytes and after a collection; of `cpu`, all used so far; of `longest-delay`. */
export interface Answers {
  memory: { rss: number; heapUsed: number; external: number };
  cpu: { microseconds: number };
  'longest-delay': { milliseconds: number };
}

export type Answer = Answers[Question];
