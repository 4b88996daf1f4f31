import { join } from 'node:path';
import type { Figure, FigureResult } from '../lib/figure.ts';
import { interleave } from '../lib/interleave.ts';
import { type Row, ratioAtMost, toRow } from '../lib/row.ts';
import { temporaryFolder } from '../lib/temporary.ts';
import { startPlatform, type Visitor } from '../server/platform.ts';
import { conversationAnswer } from './answers.ts';
import type { PageName } from './build-pages.ts';
import { fillConversation, questionOf } from './fill-conversation.ts';
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

type Length = 'few' | 'many' | 'all';
type Samples = Record<Length | `bare ${Length}`, Opening[]>;

/** Opening a conversation with many messages. */
export const conversation: Figure = {
  name: 'conversation',
  title: 'opening a long conversation',
  async take({ rounds, messages }) {
    const data = join(temporaryFolder('conversation'), 'data');
    const platform = await startPlatform({ answer: conversationAnswer, data });
    try {
      // Sequentially, because they share a connection that handles one request at a time.
      const conversations = {
        few: await fillConversation(platform, data, few),
        many: await fillConversation(platform, data, many),
        all: await fillConversation(platform, data, messages),
      };
      const samples = await withBrowser((onPage) => {
        const open =
          (name: PageName, { token, session }: Visitor, count: number) =>
          () =>
            openOnce(onPage, name, { baseUrl: platform.baseUrl, token, session }, count);
        return interleave(
          {
            'bare few': open('bare', conversations.few, few),
            few: open('widget', conversations.few, few),
            'bare many': open('bare', conversations.many, many),
            many: open('widget', conversations.many, many),
            'bare all': open('bare', conversations.all, messages),
            all: open('widget', conversations.all, messages),
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
    const { usable, blocking } = await page.evaluate(
      openConversation,
      questionOf(messages / 2 - 1),
    );
    await collectGarbage();
    const { heap, nodes } = await counters();
    return { usable, blocking, heap: heap / 1e6, nodes };
  });
}

/** Runs in the page. Mounts the chat and waits for the last answer. */
async function openConversation(last: string): Promise<{ usable: number; blocking: number }> {
  let blocking = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) blocking += duration - 50;
  });
  observer.observe({ type: 'longtask' });
  const started = performance.now();
  await globalThis.contender.mount(globalThis.benchSetup);
  while (!globalThis.contender.answer().includes(last)) {
    if (performance.now() > started + 60_000) throw new Error('The last answer was not rendered.');
    await new Promise(requestAnimationFrame);
  }
  const usable = performance.now() - started;
  await new Promise((resolve) => setTimeout(resolve, 1000));
  return { usable, blocking };
}

function report(samples: Samples, messages: number): FigureResult {
  const against =
    (ours: Length, floor: keyof Samples) => (what: string, unit: string, key: keyof Opening) => ({
      what,
      unit,
      ours: samples[ours].map((sample) => sample[key]),
      floor: samples[floor].map((sample) => sample[key]),
    });
  const withBare = (length: Length, count: number): Row[] => {
    const row = against(length, `bare ${length}`);
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
      'Half of the messages are the user’s, half are Markdown answers. Usable: the time from inserting the chat until the last answer is on screen and the field can be focused.',
      `Heap and DOM are bounded by the content near the viewport: they must not grow beyond ${many} messages.`,
      'The floor reads the whole log, and renders every message as plain paragraphs.',
    ],
  };
}
