/** The process in which clients live, apart from the platform, so that each one's figures are its own. */
import { setMaxListeners } from 'node:events';
import { answerParent, held } from '../answer-parent.ts';
import { Backend } from './backend.ts';
import { createMeter } from './meter.ts';
import { pause } from './patience.ts';
import { Person } from './person.ts';
import { createTally } from './tally.ts';

const meter = createMeter();
const tally = createTally();
const ending = new AbortController();
// A dozen calls of one client may wait on one signal. A warning then is one about a leak.
setMaxListeners(50);
// Everybody waits for the end.
setMaxListeners(0, ending.signal);
let people: Person[] = [];
let backend: Backend | null = null;
let lives: Promise<unknown> = Promise.resolve();

process.on('unhandledRejection', (reason) => {
  tally.errors.push(`unhandled: ${reason instanceof Error ? reason.stack : reason}`);
});
process.on('warning', ({ name, message, stack }) => {
  tally.errors.push(stack ?? `${name}: ${message}`);
});

answerParent({
  start({ proxy, platform, apiKey, people: names }) {
    const behind = new Backend({ baseUrl: proxy, apiKey });
    const direct = { baseUrl: platform, backend: new Backend({ baseUrl: platform, apiKey }) };
    backend = behind;
    people = names.map(
      (person) =>
        new Person({ person, baseUrl: proxy, backend: behind, tally, meter, platform: direct }),
    );
    lives = Promise.all(people.map((person) => person.live(ending.signal)));
    return null;
  },
  hold: () => ({ ...held(), meter: { ...meter } }),
  async revoke() {
    if (await backend?.revokeOne(people.map(({ name }) => name))) tally.revocations += 1;
    return null;
  },
  network({ online }) {
    people.forEach((person, index) => {
      if (index % 2 === 0) person.browser.setOnline(online);
    });
    return null;
  },
  async finish({ patience }) {
    ending.abort();
    await Promise.race([lives, pause(patience)]);
    for (const person of people) {
      if (!person.hasEnded) tally.stuck.push(`${person.name} did not end: ${person.lastAct}`);
    }
    return tally;
  },
});
