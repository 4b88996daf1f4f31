/** Answers calls of the parent process in the platform process. Loaded with `node --import`. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { handleCalls, takeSnapshot } from '../handle-calls.ts';

/** Sampling interval of the event-loop delay, in milliseconds. */
const resolution = 5;
const delays = monitorEventLoopDelay({ resolution });
delays.enable();
let usage = process.cpuUsage();

handleCalls({
  snapshot: takeSnapshot,
  load: () => {
    const { user, system } = process.cpuUsage(usage);
    // The measured delay includes the sampling interval.
    const delay = Math.max(0, delays.max / 1e6 - resolution);
    usage = process.cpuUsage();
    delays.reset();
    return { processor: (user + system) / 1000, delay };
  },
});
