/** Entry of a worker process, which runs the clients, so that they are measured apart from the platform. */
import { setMaxListeners } from 'node:events';
import { handleCalls, takeSnapshot } from '../handle-calls.ts';
import { Backend } from './backend.ts';
import { createMeter } from './meter.ts';
import { SimulatedUser } from './simulated-user.ts';
import { createTally } from './tally.ts';
import { pause } from './wait.ts';

const meter = createMeter();
const tally = createTally();
const endController = new AbortController();
// A client can have a dozen listeners on one signal, more than the default limit. Over 50 are a leak.
setMaxListeners(50);
// Every user listens for the end of the run.
setMaxListeners(0, endController.signal);
let users: SimulatedUser[] = [];
let backend: Backend | null = null;
let userRuns: Promise<unknown> = Promise.resolve();

process.on('unhandledRejection', (reason) => {
  tally.errors.push(`unhandled: ${reason instanceof Error ? reason.stack : reason}`);
});
process.on('warning', ({ name, message, stack }) => {
  tally.errors.push(stack ?? `${name}: ${message}`);
});

handleCalls({
  start({ proxy, platform, apiKey, users: names }) {
    const proxied = new Backend({ baseUrl: proxy, apiKey });
    const direct = { baseUrl: platform, backend: new Backend({ baseUrl: platform, apiKey }) };
    backend = proxied;
    users = names.map(
      (user) =>
        new SimulatedUser({
          user,
          baseUrl: proxy,
          backend: proxied,
          tally,
          meter,
          platform: direct,
        }),
    );
    userRuns = Promise.all(users.map((user) => user.run(endController.signal)));
    return null;
  },
  snapshot: () => ({ ...takeSnapshot(), meter: { ...meter } }),
  async revoke() {
    if (await backend?.revokeOne(users.map(({ name }) => name))) tally.revocations += 1;
    return null;
  },
  network({ online }) {
    users.forEach((user, index) => {
      if (index % 2 === 0) user.browser.setOnline(online);
    });
    return null;
  },
  async finish({ timeoutMs }) {
    endController.abort();
    await Promise.race([userRuns, pause(timeoutMs)]);
    for (const user of users) {
      if (!user.hasEnded) tally.stuck.push(`${user.name} did not end: ${user.lastActions}`);
    }
    return tally;
  },
});
