import { join } from 'node:path';
import type { Benchmark, BenchmarkResult } from '../lib/benchmark.ts';
import { interleave } from '../lib/interleave.ts';
import { type Row, ratioAtMost, toRow } from '../lib/row.ts';
import { temporaryFolder } from '../lib/temporary-folder.ts';
import { type BenchUser, startPlatform } from '../server/platform.ts';
import { conversationAnswer } from './answers.ts';
import type { PageName } from './build-pages.ts';
import { fillConversation, questionOf } from './fill-conversation.ts';
import type { Setup } from './pages/bench-chat.ts';
import { type WithPage, withBrowser } from './with-browser.ts';

/** Number of messages of a short conversation. The longest conversation must open almost as fast. */
const shortLength = 50;
/** Number of messages of a long conversation. Longer conversations must not use more heap or DOM nodes. */
const longLength = 1_000;

interface Opening {
  /** Milliseconds until the last message is on screen and the user can write. */
  usable: number;
  /** Total blocking time in milliseconds, up to one second after `usable`. */
  blocking: number;
  /** Heap size after garbage collection in megabytes. */
  heap: number;
  nodes: number;
}

type Length = 'short' | 'long' | 'longest';
type Samples = Record<Length | `baseline ${Length}`, Opening[]>;

/**
 * Time and memory for opening a conversation with many messages. Opening a conversation of the real
 * platform, filled with copies of one turn: the time until the last answer is on screen and the field
 * can be focused; heap and DOM. Compared with a short conversation, and with the baseline at 50, 1,000
 * and 5,000 messages. Does not measure scrolling back.
 */
export const conversation: Benchmark = {
  name: 'conversation',
  title: 'opening a long conversation',
  async run({ rounds, messages }) {
    const data = join(temporaryFolder('conversation'), 'data');
    const platform = await startPlatform({ answer: conversationAnswer, data });
    try {
      const conversations = {
        short: await fillConversation(platform, data, shortLength),
        long: await fillConversation(platform, data, longLength),
        longest: await fillConversation(platform, data, messages),
      };
      const samples = await withBrowser((withPage) => {
        const open =
          (name: PageName, { token, session }: BenchUser, count: number) =>
          () =>
            measureOpening(withPage, name, { baseUrl: platform.baseUrl, token, session }, count);
        return interleave(
          {
            'baseline short': open('baseline', conversations.short, shortLength),
            short: open('widget', conversations.short, shortLength),
            'baseline long': open('baseline', conversations.long, longLength),
            long: open('widget', conversations.long, longLength),
            'baseline longest': open('baseline', conversations.longest, messages),
            longest: open('widget', conversations.longest, messages),
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

function measureOpening(
  withPage: WithPage,
  name: PageName,
  setup: Setup,
  messages: number,
): Promise<Opening> {
  return withPage({ name, setup }, async ({ page, counters, collectGarbage }) => {
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
async function openConversation(
  lastQuestion: string,
): Promise<{ usable: number; blocking: number }> {
  let blocking = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) blocking += duration - 50;
  });
  observer.observe({ type: 'longtask' });
  const started = performance.now();
  await globalThis.benchChat.mount(globalThis.benchSetup);
  while (!globalThis.benchChat.answer().includes(lastQuestion)) {
    if (performance.now() > started + 60_000) throw new Error('The last answer was not rendered.');
    await new Promise(requestAnimationFrame);
  }
  const usable = performance.now() - started;
  await new Promise((resolve) => setTimeout(resolve, 1000));
  return { usable, blocking };
}

function report(samples: Samples, messages: number): BenchmarkResult {
  const compare =
    (measured: Length, baseline: keyof Samples) =>
    (metric: string, unit: string, key: keyof Opening) => ({
      metric,
      unit,
      measured: samples[measured].map((sample) => sample[key]),
      baseline: samples[baseline].map((sample) => sample[key]),
    });
  const withBaseline = (length: Length, count: number): Row[] => {
    const row = compare(length, `baseline ${length}`);
    return [
      toRow(row(`${count} messages, compared with the baseline: usable`, 'ms', 'usable')),
      toRow(row('blocked', 'ms', 'blocking')),
      toRow(row('heap', 'MB', 'heap')),
      toRow(row('DOM nodes', '', 'nodes')),
    ];
  };
  const withShort = compare('longest', 'short');
  const withLong = compare('longest', 'long');
  return {
    rows: [
      toRow({
        ...withShort(`${messages} messages, compared with ${shortLength}: usable`, 'ms', 'usable'),
        target: ratioAtMost(1.3),
      }),
      toRow(withShort('blocked', 'ms', 'blocking')),
      toRow({
        ...withLong(`compared with ${longLength}: heap`, 'MB', 'heap'),
        target: ratioAtMost(1.1),
      }),
      toRow({ ...withLong('DOM nodes', '', 'nodes'), target: ratioAtMost(1.1) }),
      ...withBaseline('short', shortLength),
      ...withBaseline('long', longLength),
      ...withBaseline('longest', messages),
    ],
    notes: [
      'Half of the messages are the user’s, half are Markdown answers. Usable: the time from inserting the chat until the last answer is on screen and the field can be focused.',
      `Heap and DOM depend only on the content near the viewport: more than ${longLength} messages must not increase them.`,
      'The baseline reads the whole log, and renders every message as plain paragraphs.',
    ],
  };
}
