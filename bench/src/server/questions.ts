/** Questions to a measured process. Each `longest-delay` resets its measurement. */
export type Question = 'memory' | 'cpu' | 'longest-delay';

/**
 * Answers by question. `memory` is in bytes after garbage collection; `cpu` is the total so far.
 */
export interface Answers {
  memory: { rss: number; heapUsed: number; external: number };
  cpu: { microseconds: number };
  'longest-delay': { milliseconds: number };
}

export type Answer = Answers[Question];
