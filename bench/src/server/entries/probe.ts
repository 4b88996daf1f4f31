/**
 * Reports memory and CPU use of a measured process to the benchmark. Loaded with `node --import`, so
 * that the measured entry file needs no changes.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ProbeQuery, ProbeResult } from '../probe-queries.ts';

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

process.on('message', (message: unknown) => {
  const { id, query } = message as { id: number; query: ProbeQuery };
  process.send?.({ id, result: handlers[query]() });
});
// The benchmark process has exited without stopping this process.
process.on('disconnect', () => process.exit(0));

const handlers: { [Name in ProbeQuery]: () => ProbeResult } = {
  memory() {
    globalThis.gc?.();
    globalThis.gc?.();
    const { rss, heapUsed, external } = process.memoryUsage();
    return { rss, heapUsed, external };
  },
  cpu() {
    const { user, system } = process.cpuUsage();
    return { microseconds: user + system };
  },
  'longest-delay'() {
    const longest = delay.max / 1e6;
    delay.reset();
    return { milliseconds: Number.isFinite(longest) ? longest : 0 };
  },
};
