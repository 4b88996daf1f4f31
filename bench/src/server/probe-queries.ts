/** Queries to a measured process. `longest-delay` resets its measurement. */
export type ProbeQuery = 'memory' | 'cpu' | 'longest-delay';

/**
 * ProbeResults by question. `memory` is in bytes after garbage collection; `cpu` is the total so far.
 */
export interface ProbeResults {
  memory: { rss: number; heapUsed: number; external: number };
  cpu: { microseconds: number };
  'longest-delay': { milliseconds: number };
}

export type ProbeResult = ProbeResults[ProbeQuery];
