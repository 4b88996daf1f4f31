/**
 * Time from the first statement of a page's script until the user can write. Both pages have the same
 * end point (`waitUntilUsable`): the text field is rendered, enabled, laid out by a forced layout, and
 * has the focus. On neither page, the time includes the following paint.
 *
 * The baseline inserts its field synchronously, so that the first check finds the field. The widget
 * renders in a later task, and is checked once per frame, because more frequent checks would delay it;
 * its measured time can be up to one frame too long. Neither page waits for a response, because writing
 * needs neither the token nor the agent's settings. The time of the widget includes the registration of
 * its elements, but not the message list, which is loaded afterwards.
 */
import type { Benchmark } from '../lib/benchmark.ts';
import { interleave } from '../lib/interleave.ts';
import { ratioAtMost, toRow, zero } from '../lib/row.ts';
import type { PageName } from './build-pages.ts';
import type { Setup } from './pages/bench-chat.ts';
import { type WithPage, withPreparedPlatform } from './with-browser.ts';

const throttle = 4;
/** Milliseconds after the chat is usable in which long tasks still count as blocking. */
const observationTime = 500;

interface Start {
  /** Milliseconds from the first statement of the script until the user can write. */
  script: number;
  /** Milliseconds from the script tag until the user can write, including fetch and compilation. */
  tag: number;
  /** Total blocking time: milliseconds of tasks beyond 50 ms each. */
  blocking: number;
}

/**
 * Time until the user can write. With a 4× slower processor, the time from the first statement of the
 * script until the field is laid out and has the focus, without the following paint on either page;
 * and the total blocking time. Does not measure the network, because the files are local; the response
 * with the agent's settings.
 */
export const start: Benchmark = {
  name: 'start',
  title: `time until the user can write, with a ${throttle} times slower processor`,
  run: ({ rounds }) =>
    withPreparedPlatform({}, async (withPage, setup) => {
      const open = (name: PageName) => () => startOnce(withPage, name, setup('unused'));
      const { baseline, widget } = await interleave(
        { baseline: open('baseline'), widget: open('widget') },
        { rounds: rounds * 2, warmUp: 1 },
      );
      const row = (metric: string, key: keyof Start) => ({
        metric,
        unit: 'ms',
        measured: widget.map((sample) => sample[key]),
        baseline: baseline.map((sample) => sample[key]),
      });
      return {
        rows: [
          toRow({
            ...row('first statement of the script to usable', 'script'),
            target: ratioAtMost(2),
          }),
          toRow(row('script tag to usable, including fetch and compilation', 'tag')),
          toRow({ ...row('main thread blocked', 'blocking'), target: zero }),
        ],
        notes: [
          'Usable: the field is laid out and can be focused. Each start is in a new browser context without cache.',
          `Blocked: total blocking time, from the script tag to ${observationTime} ms after the chat is usable.`,
        ],
      };
    }),
};

function startOnce(withPage: WithPage, name: PageName, setup: Setup): Promise<Start> {
  return withPage({ name, setup, mount: true, throttle }, ({ page }) =>
    page.evaluate(async (delay) => {
      const usable = await globalThis.usableAt;
      await new Promise((resolve) => setTimeout(resolve, delay));
      const timeOf = (mark: string) =>
        performance.getEntriesByName(mark)[0]?.startTime ?? Number.NaN;
      const tag = timeOf('tag');
      const tasks = await new Promise<PerformanceEntryList>((resolve) => {
        const found: PerformanceEntryList = [];
        new PerformanceObserver((list) => found.push(...list.getEntries())).observe({
          type: 'longtask',
          buffered: true,
        });
        setTimeout(() => resolve(found), 50);
      });
      const blocking = tasks
        .filter(({ startTime, duration }) => startTime + duration > tag)
        .reduce((sum, { duration }) => sum + duration - 50, 0);
      return { script: usable - timeOf('script'), tag: usable - tag, blocking };
    }, observationTime),
  );
}
