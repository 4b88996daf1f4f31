import type { Benchmark } from '../lib/benchmark.ts';
import { interleave } from '../lib/interleave.ts';
import { atMost, toRow, zero } from '../lib/row.ts';
import type { PageName } from './build-pages.ts';
import type { PageOptions } from './measured-page.ts';
import { type WithPage, withPreparedPlatform } from './with-browser.ts';

const mountCount = 50;
/** Number of mounts before the measurement, because compiled code stays in memory. */
const warmUp = 75;

interface Leak {
  /** Heap growth per mount in kilobytes. */
  heap: number;
  /** DOM node growth per mount. */
  nodes: number;
  detached: number;
}

/**
 * Memory leaked by mounting and removing a chat. The heap before and after 50 mounts, without and with
 * a message and its answer; detached trees that scripts still reference. Does not measure leaks that
 * take hours.
 */
export const mounts: Benchmark = {
  name: 'mounts',
  title: `memory leaked by ${mountCount} mounts and unmounts`,
  run: ({ rounds }) =>
    withPreparedPlatform(
      { brief: { tokens: ['Yes.'], tokensPerSecond: null } },
      async (withPage, setup) => {
        const mount = (name: PageName, sendsMessage: boolean) => () =>
          measureLeak(withPage, { name, setup: setup('brief') }, sendsMessage);
        const samples = await interleave(
          {
            baseline: mount('baseline', false),
            widget: mount('widget', false),
            baselineWithMessage: mount('baseline', true),
            widgetWithMessage: mount('widget', true),
          },
          { rounds: Math.min(rounds, 2), warmUp: 0 },
        );
        const row = (
          metric: string,
          unit: string,
          key: keyof Leak,
          suffix: '' | 'WithMessage' = '',
        ) => ({
          metric,
          unit,
          measured: samples[`widget${suffix}`].map((sample) => sample[key]),
          baseline: samples[`baseline${suffix}`].map((sample) => sample[key]),
        });
        return {
          rows: [
            toRow({ ...row('heap growth per mount', 'kB', 'heap'), target: atMost(1, 'kB') }),
            toRow({ ...row('node growth per mount', '', 'nodes'), target: zero }),
            toRow({ ...row('detached trees at the end', '', 'detached'), target: zero }),
            toRow({
              ...row('heap growth per mount with a message', 'kB', 'heap', 'WithMessage'),
              target: atMost(1, 'kB'),
            }),
            toRow({
              ...row('detached trees with a message', '', 'detached', 'WithMessage'),
              target: zero,
            }),
          ],
          notes: [
            `After ${warmUp} warm-up mounts, with garbage collections before and after. A chat is removed when it is usable or, with a message, when its first answer is complete.`,
          ],
        };
      },
    ),
};

function measureLeak(
  withPage: WithPage,
  options: PageOptions,
  sendsMessage: boolean,
): Promise<Leak> {
  return withPage(options, async ({ page, counters, collectGarbage, detachedTrees }) => {
    const mount = async (count: number) => {
      await page.evaluate(mountAndRemove, { count, sendsMessage });
      await collectGarbage();
      return counters();
    };
    const before = await mount(warmUp);
    const after = await mount(mountCount);
    return {
      heap: (after.heap - before.heap) / 1000 / mountCount,
      nodes: (after.nodes - before.nodes) / mountCount,
      detached: await detachedTrees(),
    };
  });
}

/** Runs in the page. */
async function mountAndRemove({
  count,
  sendsMessage,
}: {
  count: number;
  sendsMessage: boolean;
}): Promise<void> {
  const wait = (milliseconds: number) =>
    new Promise((resolve) => setTimeout(resolve, milliseconds));
  for (let index = 0; index < count; index += 1) {
    await globalThis.benchChat.mount(globalThis.benchSetup);
    if (sendsMessage) await globalThis.benchChat.ask('Tell me all.');
    globalThis.benchChat.unmount();
    await wait(20);
  }
  // Lets pending work of the last chat finish.
  await wait(500);
  // The browser's resource timing buffer is not a leak of the chat.
  performance.clearResourceTimings();
}
