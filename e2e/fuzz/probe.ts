/**
 * Answers calls of the parent process in the platform process, and exits when the parent exits. Loaded
 * with `node --import`.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { CallMessage, Calls } from './calls.ts';

/** Sampling interval of the event-loop delay, in milliseconds. */
const resolution = 5;
const delays = monitorEventLoopDelay({ resolution });
delays.enable();
let usage = process.cpuUsage();

const handlers: { [Name in keyof Calls]: () => Calls[Name] } = {
  snapshot: () => {
    // Needs `--expose-gc`.
    globalThis.gc?.();
    globalThis.gc?.();
    return { heapUsed: process.memoryUsage().heapUsed };
  },
  load: () => {
    const { user, system } = process.cpuUsage(usage);
    // The measured delay includes the sampling interval.
    const delay = Math.max(0, delays.max / 1e6 - resolution);
    usage = process.cpuUsage();
    delays.reset();
    return { processor: (user + system) / 1000, delay };
  },
};

process.on('message', ({ id, name }: CallMessage) => {
  process.send?.({ id, result: handlers[name]() });
});
process.on('disconnect', () => process.exit(0));
