/**
 * Queries to a measured process. `longest-delay` returns the longest event-loop delay since the
 * last query.
 */
export type ProbeQuery = 'memory' | 'cpu' | 'longest-delay';

/**
 * Results by query. `memory` is in bytes, after a garbage collection. `cpu` is the total CPU time so far.
 */
export interface ProbeResults {
  memory: { rss: number; heapUsed: number; external: number };
  cpu: { microseconds: number };
  'longest-delay': { milliseconds: number };
}

export type ProbeResult = ProbeResults[ProbeQuery];
