import type { Figure, Taken } from '../lib/figure.ts';
import { interleave } from '../lib/interleave.ts';
import { ratioAtMost, toRow } from '../lib/row.ts';
import { startPlatform, type Visitor } from '../server/platform.ts';
import { threadAnswer } from './answers.ts';
import type { PageName } from './build-pages.ts';
import { fillThread, questionOf } from './fill-thread.ts';
import type { Setup } from './pages/contender.ts';
import { type OnPage, withBrowser } from './with-browser.ts';

/** A thread of which opening a long one is to differ little. */
const few = 50;

interface Opening {
  /** Milliseconds until the last message is on screen and a person can write. */
  usable: number;
  /** Milliseconds by which tasks were longer than 50, up to a second later. */
  blocking: number;
  /** Megabytes of heap, after a collection. */
  heap: number;
  nodes: number;
}

type Samples = Record<'bare' | 'few' | 'fifth' | 'all', Opening[]>;

/** How a conversation of many messages opens. */
export const thread: Figure = {
  name: 'thread',
  title: 'opening a conversation that is long already',
  async take({ rounds, messages }) {
    const platform = await startPlatform({ answer: threadAnswer });
    try {
      const threads = {
        few: await fillThread(platform, few),
        fifth: await fillThread(platform, messages / 5),
        all: await fillThread(platform, messages),
      };
      const samples = await withBrowser((onPage) => {
        const open =
          (name: PageName, { token, session }: Visitor, count: number) =>
          () =>
            openOnce(onPage, name, { baseUrl: platform.baseUrl, token, session }, count);
        return interleave(
          {
            bare: open('bare', threads.all, messages),
            few: open('widget', threads.few, few),
            fifth: open('widget', threads.fifth, messages / 5),
            all: open('widget', threads.all, messages),
          },
          { rounds, warmUp: 1 },
        );
      });
      return report(samples, messages);
    } finally {
      await platform.stop();
    }
  },
};

function openOnce(
  onPage: OnPage,
  name: PageName,
  setup: Setup,
  messages: number,
): Promise<Opening> {
  return onPage({ name, setup }, async ({ page, counters, collectGarbage }) => {
    const { usable, blocking } = await page.evaluate(openThread, questionOf(messages / 2 - 1));
    await collectGarbage();
    const { heap, nodes } = await counters();
    return { usable, blocking, heap: heap / 1e6, nodes };
  });
}

/** Runs in the page: mounts the chat, and waits for the last answer. */
async function openThread(last: string): Promise<{ usable: number; blocking: number }> {
  let blocking = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) blocking += duration - 50;
  });
  observer.observe({ type: 'longtask' });
  const started = performance.now();
  await globalThis.contender.mount(globalThis.benchSetup);
  while (!globalThis.contender.answer().includes(last)) {
    if (performance.now() > started + 60_000) throw new Error('The last answer never came.');
    await new Promise(requestAnimationFrame);
  }
  const usable = performance.now() - started;
  await new Promise((resolve) => setTimeout(resolve, 1000));
  return { usable, blocking };
}

function report(samples: Samples, messages: number): Taken {
  const row = (
    what: string,
    unit: string,
    key: keyof Opening,
    floor: Exclude<keyof Samples, 'all'>,
  ) => ({
    what,
    unit,
    ours: samples.all.map((sample) => sample[key]),
    floor: samples[floor].map((sample) => sample[key]),
  });
  const many = `${messages} messages`;
  return {
    rows: [
      toRow({
        ...row(`${many}, against ${few} of ours: usable`, 'ms', 'usable', 'few'),
        target: ratioAtMost(1.3),
      }),
      toRow(row(`against ${few} of ours: blocked`, 'ms', 'blocking', 'few')),
      toRow({
        ...row(`against ${messages / 5} of ours: heap`, 'MB', 'heap', 'fifth'),
        target: ratioAtMost(1.1),
      }),
      toRow({
        ...row(`against ${messages / 5} of ours: DOM nodes`, '', 'nodes', 'fifth'),
        target: ratioAtMost(1.1),
      }),
      toRow(row('against bare: usable', 'ms', 'usable', 'bare')),
      toRow(row('against bare: heap', 'MB', 'heap', 'bare')),
      toRow(row('against bare: DOM nodes', '', 'nodes', 'bare')),
    ],
    notes: [
      'Half of the messages are the person’s, half are Markdown answers. Usable: the last answer is on screen and the field takes the focus, from the moment the chat is put into the page.',
      'Heap and DOM are to be bounded by what is near the view: from a fifth of the thread to the whole they may not grow.',
      'Bare reads the whole log and draws every message as plain paragraphs.',
      ...(messages < 5000 ? ['The target speaks of 5,000 messages: use `--messages 5000`.'] : []),
    ],
  };
}
