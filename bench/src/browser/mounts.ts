import type { Figure } from '../lib/figure.ts';
import { interleave } from '../lib/interleave.ts';
import { atMost, none, toRow } from '../lib/row.ts';
import type { PageName } from './build-pages.ts';
import type { PageOptions } from './measured-page.ts';
import { type OnPage, withPreparedPlatform } from './with-browser.ts';

const times = 50;
/** Number of mounts before the measurement, because compiled code stays in memory once. */
const warmUp = 75;

interface Leak {
  /** Heap growth per mount in kilobytes. */
  heap: number;
  /** DOM node growth per mount. */
  nodes: number;
  detached: number;
}

/** Memory leaked by mounting and removing a chat. */
export const mounts: Figure = {
  name: 'mounts',
  title: `memory leaked by ${times} mounts and unmounts`,
  take: ({ rounds }) =>
    withPreparedPlatform({ brief: { tokens: ['Yes.'], pace: null } }, async (onPage, setup) => {
      const mount = (name: PageName, talks: boolean) => () =>
        mountOften(onPage, { name, setup: setup('brief') }, talks);
      const samples = await interleave(
        {
          bare: mount('bare', false),
          widget: mount('widget', false),
          bareTalking: mount('bare', true),
          widgetTalking: mount('widget', true),
        },
        { rounds: Math.min(rounds, 2), warmUp: 0 },
      );
      const row = (what: string, unit: string, key: keyof Leak, talking: '' | 'Talking' = '') => ({
        what,
        unit,
        ours: samples[`widget${talking}`].map((sample) => sample[key]),
        floor: samples[`bare${talking}`].map((sample) => sample[key]),
      });
      return {
        rows: [
          toRow({ ...row('heap kept per mount', 'kB', 'heap'), target: atMost(1, 'kB') }),
          toRow({ ...row('nodes kept by each', '', 'nodes'), target: none }),
          toRow({ ...row('detached trees at the end', '', 'detached'), target: none }),
          toRow({
            ...row('heap kept per mount with a message', 'kB', 'heap', 'Talking'),
            target: atMost(1, 'kB'),
          }),
          toRow({
            ...row('detached trees with a message', '', 'detached', 'Talking'),
            target: none,
          }),
        ],
        notes: [
          `After ${warmUp} warm-up mounts, with garbage collections before and after. A chat is removed when it is usable or, with a message, when its first answer is complete.`,
        ],
      };
    }),
};

function mountOften(onPage: OnPage, options: PageOptions, talks: boolean): Promise<Leak> {
  return onPage(options, async ({ page, counters, collectGarbage, detachedNodes }) => {
    const mount = async (count: number) => {
      await page.evaluate(mountAndRemove, { count, talks });
      await collectGarbage();
      return counters();
    };
    const before = await mount(warmUp);
    const after = await mount(times);
    return {
      heap: (after.heap - before.heap) / 1000 / times,
      nodes: (after.nodes - before.nodes) / times,
      detached: await detachedNodes(),
    };
  });
}

/** Runs in the page. */
async function mountAndRemove({ count, talks }: { count: number; talks: boolean }): Promise<void> {
  const wait = (milliseconds: number) =>
    new Promise((resolve) => setTimeout(resolve, milliseconds));
  for (let time = 0; time < count; time += 1) {
    await globalThis.contender.mount(globalThis.benchSetup);
    if (talks) await globalThis.contender.ask('Tell me all.');
    globalThis.contender.unmount();
    await wait(20);
  }
  // Lets pending work of the last chat finish.
  await wait(500);
  // The browser's resource timing buffer is not a leak of the chat.
  performance.clearResourceTimings();
}
