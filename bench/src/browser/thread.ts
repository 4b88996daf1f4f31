import { join } from 'node:path';
import type { Figure, Taken } from '../lib/figure.ts';
import { interleave } from '../lib/interleave.ts';
import { type Row, ratioAtMost, toRow } from '../lib/row.ts';
import { temporaryFolder } from '../lib/temporary.ts';
import { startPlatform, type Visitor } from '../server/platform.ts';
import { threadAnswer } from './answers.ts';
import type { PageName } from './build-pages.ts';
import { fillThread, questionOf } from './fill-thread.ts';
import type { Setup } from './pages/contender.ts';
import { type OnPage, withBrowser } from './with-browser.ts';

/** Messages of a short conversation. Opening a long one should take about as long. */
const few = 50;
/** Messages of a long conversation. Longer ones must not use more heap or DOM nodes. */
const many = 1_000;

interface Opening {
  /** Milliseconds until the last message is on screen and the user can write. */
  usable: number;
  /** Total blocking time in milliseconds, up to one second after `usable`. */
  blocking: number;
  /** Heap size after garbage collection in megabytes. */
  heap: number;
  nodes: number;
}

type Thread = 'few' | 'many' | 'all';
type Samples = Record<Thread | `bare ${Thread}`, Opening[]>;

/** Opening a conversation with many messages. */
export const thread: Figure = {
  name: 'thread',
  title: 'opening a conversation that is long already',
  async take({ rounds, messages }) {
    const data = join(temporaryFolder('thread'), 'data');
    const platform = await startPlatform({ answer: threadAnswer, data });
    try {
      // Sequentially, because they share a connection that handles one request at a time.
      const threads = {
        few: await fillThread(platform, data, few),
        many: await fillThread(platform, data, many),
        all: await fillThread(platform, data, messages),
      };
      const samples = await withBrowser((onPage) => {
        const open =
          (name: PageName, { token, session }: Visitor, count: number) =>
          () =>
            openOnce(onPage, name, { baseUrl: platform.baseUrl, token, session }, count);
        return interleave(
          {
            'bare few': open('bare', threads.few, few),
            few: open('widget', threads.few, few),
            'bare many': open('bare', threads.many, many),
            many: open('widget', threads.many, many),
            'bare all': open('bare', threads.all, messages),
            all: open('widget', threads.all, messages),
          },
          { rounds: Math.min(rounds, 3), warmUp: 1 },
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

/** Runs in the page. Mounts the chat and waits for the last answer. */
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
  const against =
    (ours: Thread, floor: keyof Samples) => (what: string, unit: string, key: keyof Opening) => ({
      what,
      unit,
      ours: samples[ours].map((sample) => sample[key]),
      floor: samples[floor].map((sample) => sample[key]),
    });
  const withBare = (thread: Thread, count: number): Row[] => {
    const row = against(thread, `bare ${thread}`);
    return [
      toRow(row(`${count} messages, against bare: usable`, 'ms', 'usable')),
      toRow(row('blocked', 'ms', 'blocking')),
      toRow(row('heap', 'MB', 'heap')),
      toRow(row('DOM nodes', '', 'nodes')),
    ];
  };
  const byFew = against('all', 'few');
  const byMany = against('all', 'many');
  return {
    rows: [
      toRow({
        ...byFew(`${messages} messages, against ${few} of ours: usable`, 'ms', 'usable'),
        target: ratioAtMost(1.3),
      }),
      toRow(byFew('blocked', 'ms', 'blocking')),
      toRow({ ...byMany(`against ${many} of ours: heap`, 'MB', 'heap'), target: ratioAtMost(1.1) }),
      toRow({ ...byMany('DOM nodes', '', 'nodes'), target: ratioAtMost(1.1) }),
      ...withBare('few', few),
      ...withBare('many', many),
      ...withBare('all', messages),
    ],
    notes: [
      'Half of the messages are the person’s, half are Markdown answers. Usable: the last answer is on screen and the field takes the focus, from the moment the chat is put into the page.',
      `Heap and DOM are to be bounded by what is near the view: from ${many} messages on they may not grow.`,
      'Bare reads the whole log and draws every message as plain paragraphs.',
    ],
  };
}
