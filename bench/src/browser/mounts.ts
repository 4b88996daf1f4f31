import type { Figure } from '../lib/figure.ts';
import { interleave } from '../lib/interleave.ts';
import { atMost, none, toRow } from '../lib/row.ts';
import type { PageName } from './build-pages.ts';
import type { Setup } from './pages/contender.ts';
import { type OnPage, withPreparedPlatform } from './with-browser.ts';

const times = 50;
/** Before them: compilers and caches fill up once. */
const warmUp = 20;

interface Kept {
  /** Kilobytes of the heap for each mount. */
  heap: number;
  /** Nodes of the renderer for each mount. */
  nodes: number;
  detached: number;
}

/** What a chat that was taken out of the page leaves behind. */
export const mounts: Figure = {
  name: 'mounts',
  title: `what ${times} mounts and unmounts leave behind`,
  take: ({ rounds }) =>
    withPreparedPlatform({}, async (onPage, setup) => {
      const mount = (name: PageName) => () => mountOften(onPage, name, setup('nobody'));
      const { bare, widget } = await interleave(
        { bare: mount('bare'), widget: mount('widget') },
        { rounds: Math.min(rounds, 3), warmUp: 0 },
      );
      const row = (what: string, unit: string, key: keyof Kept) => ({
        what,
        unit,
        ours: widget.map((sample) => sample[key]),
        floor: bare.map((sample) => sample[key]),
      });
      return {
        rows: [
          toRow({ ...row('heap kept by each', 'kB', 'heap'), target: atMost(1, 'kB') }),
          toRow({ ...row('nodes kept by each', '', 'nodes'), target: none }),
          toRow({ ...row('detached trees at the end', '', 'detached'), target: none }),
        ],
        notes: [
          `After ${warmUp} that do not count, and collections before and after. A chat is removed when a person could have written in it.`,
        ],
      };
    }),
};

function mountOften(onPage: OnPage, name: PageName, setup: Setup): Promise<Kept> {
  return onPage({ name, setup }, async ({ page, counters, collectGarbage, detachedNodes }) => {
    const mount = async (times: number) => {
      await page.evaluate(async (count) => {
        for (let time = 0; time < count; time += 1) {
          await globalThis.contender.mount(globalThis.benchSetup);
          globalThis.contender.unmount();
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        // What was under way when the last one was removed comes to its end.
        await new Promise((resolve) => setTimeout(resolve, 500));
      }, times);
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
