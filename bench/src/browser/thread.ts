import type { Figure } from '../lib/figure.ts';
import { interleave } from '../lib/interleave.ts';
import { ratioAtMost, toRow } from '../lib/row.ts';
import type { Visitor } from '../server/platform.ts';
import { threadAnswer } from './answers.ts';
import type { PageName } from './build-pages.ts';
import { fillThread, questionOf } from './fill-thread.ts';
import { type Stage, withBrowser } from './with-browser.ts';

interface Opening {
  /** Milliseconds until the last message is on screen and a person can write. */
  usable: number;
  /** Milliseconds by which tasks were longer than 50. */
  blocking: number;
  /** Megabytes of heap, after a collection. */
  heap: number;
  nodes: number;
}

/** How a conversation of many messages opens. */
export const thread: Figure = {
  name: 'thread',
  title: 'opening a conversation that is long already',
  take: ({ rounds, messages }) =>
    withBrowser({ agents: { thread: { text: threadAnswer, delay: 0 } } }, async (stage) => {
      const short = await fillThread(stage.platform, 50);
      const long = await fillThread(stage.platform, messages);
      const open = (name: PageName, visitor: Visitor, count: number) => () =>
        openOnce(stage, name, visitor, count);
      const samples = await interleave(
        {
          bare: open('bare', long, messages),
          short: open('widget', short, 50),
          long: open('widget', long, messages),
        },
        { rounds, warmUp: 1 },
      );
      const row = (what: string, unit: string, key: keyof Opening, floor: 'bare' | 'short') => ({
        what,
        unit,
        ours: samples.long.map((sample) => sample[key]),
        floor: samples[floor].map((sample) => sample[key]),
      });
      const [many, few] = [`${messages} messages`, 'against 50 of ours'];
      return {
        rows: [
          toRow({
            ...row(`${many}, ${few}: usable`, 'ms', 'usable', 'short'),
            target: ratioAtMost(1.3),
          }),
          toRow(row(`${few}: blocked`, 'ms', 'blocking', 'short')),
          toRow(row(`${few}: heap`, 'MB', 'heap', 'short')),
          toRow(row(`${few}: DOM nodes`, '', 'nodes', 'short')),
          toRow(row(`${many}, against bare: usable`, 'ms', 'usable', 'bare')),
          toRow(row('against bare: heap', 'MB', 'heap', 'bare')),
          toRow(row('against bare: DOM nodes', '', 'nodes', 'bare')),
        ],
        notes: [
          'Half of the messages are the person’s, half are Markdown answers. Usable: the last answer is on screen and the field takes the focus, from the moment the chat is put into the page.',
          'Bare reads the whole log and draws every message as plain paragraphs.',
          ...(messages < 5000
            ? ['The target speaks of 5,000 messages: use `--messages 5000`.']
            : []),
        ],
      };
    }),
};

function openOnce(
  stage: Stage,
  name: PageName,
  visitor: Visitor,
  messages: number,
): Promise<Opening> {
  return stage.onPage({ name, visit: visitor }, async ({ page, counters, collectGarbage }) => {
    const { usable, blocking } = await page.evaluate(
      async (last) => {
        let blocked = 0;
        const observer = new PerformanceObserver((list) => {
          for (const { duration } of list.getEntries()) blocked += duration - 50;
        });
        observer.observe({ type: 'longtask' });
        const started = performance.now();
        await globalThis.contender.mount(globalThis.benchSetup);
        const deadline = started + 60_000;
        while (!globalThis.contender.answer().includes(last)) {
          if (performance.now() > deadline)
            throw new Error('The last answer never came on screen.');
          await new Promise(requestAnimationFrame);
        }
        const finished = performance.now();
        await new Promise((resolve) => setTimeout(resolve, 1000));
        return { usable: finished - started, blocking: blocked };
      },
      questionOf(messages / 2 - 1),
    );
    await collectGarbage();
    const { heap, nodes } = await counters();
    return { usable, blocking, heap: heap / 1e6, nodes };
  });
}
