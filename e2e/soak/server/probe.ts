/** Loaded before the platform's own entry, which stays as it is (`node --import`). */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { answerParent, held } from '../answer-parent.ts';

/** In milliseconds: how often the delay of the event loop is sampled. */
const resolution = 5;
const delays = monitorEventLoopDelay({ resolution });
delays.enable();
let usage = process.cpuUsage();

answerParent({
  hold: held,
  lap: () => {
    const { user, system } = process.cpuUsage(usage);
    // A delay is noted when its timer fires: the interval itself is part of what it says.
    const delay = Math.max(0, delays.max / 1e6 - resolution);
    usage = process.cpuUsage();
    delays.reset();
    return { processor: (user + system) / 1000, delay };
  },
});
