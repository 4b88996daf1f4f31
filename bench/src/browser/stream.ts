import type { Benchmark } from '../lib/benchmark.ts';
import { interleave } from '../lib/interleave.ts';
import { type Row, ratioAtMost, toRow, zero } from '../lib/row.ts';
import { endOfAnswer, longAnswer, toTokens } from './answers.ts';
import type { PageName } from './build-pages.ts';
import { countChanges } from './count-changes.ts';
import { loadMarkdown } from './load-markdown.ts';
import type { MeasuredPage, PageOptions } from './measured-page.ts';
import type { Setup } from './pages/bench-chat.ts';
import { watchFrames } from './watch-frames.ts';
import { type WithPage, withPreparedPlatform } from './with-browser.ts';

const tokensPerSecond = 200;
const throttle = 4;
/** Milliseconds until all startup work has finished, even with CPU throttling. */
const settleTime = 2000;
const short = toTokens(longAnswer(2_000));
const long = toTokens(longAnswer(20_000));
const answers = {
  short: { tokens: short, tokensPerSecond: null },
  long: { tokens: long, tokensPerSecond: null },
  paced: { tokens: short, tokensPerSecond },
  // Paced, so that many changes show it. Without languages, because highlighting replaces settled code.
  counted: {
    tokens: toTokens(longAnswer(2_000).replaceAll('```ts', '```')),
    tokensPerSecond: 500,
  },
};

/** Main-thread time per token in microseconds. */
interface Cost {
  task: number;
  layout: number;
}

interface PacedRun {
  /** Share of the main thread in per cent. */
  busy: number;
  /** Throughput in tokens per second. */
  perSecond: number;
  /** Frames that took longer than 50 ms. */
  slowFrames: number;
  /** Duration in milliseconds; 0 if no frame took longer than 50 ms. */
  longestFrame: number;
}

/**
 * Cost of a streamed token in the page, from socket to pixel. One event per token, as fast as the page
 * reads: processor time of all tasks of the main thread (`TaskDuration`). Then 200 tokens per second,
 * also with a 4× slower processor. Each run checks that the complete answer is on screen. Does not
 * measure combined fragments: the platform sends several tokens in one event, which costs less.
 */
export const stream: Benchmark = {
  name: 'stream',
  title: 'main-thread CPU time per token of a Markdown answer',
  run: ({ rounds }) =>
    withPreparedPlatform(answers, async (withPage, setup) => ({
      rows: [
        ...(await measureAtFullSpeed(withPage, setup, Math.min(rounds, 3))),
        ...(await countAllChanges(withPage, setup('counted'))),
        ...(await measureAtFixedRate(withPage, setup('paced'), 1)),
      ],
      notes: [
        'Each token is a separate event, sent as fast as the page reads. Time is the processor time of all tasks of the main thread (`TaskDuration`): reading, parsing, style, layout and paint.',
        'Settled: a block of the answer that was already followed by another block. Changes are counted in a separate run, of an answer whose code is not highlighted.',
        'A slow frame is a frame with a `long-animation-frame` entry.',
      ],
    })),
};

async function measureAtFullSpeed(
  withPage: WithPage,
  setup: (name: string) => Setup,
  rounds: number,
): Promise<Row[]> {
  const measureCost = (name: PageName, answer: 'short' | 'long') => () =>
    costPerToken(withPage, name, setup(answer), answers[answer].tokens.length);
  const costs = await interleave(
    {
      baselineShort: measureCost('baseline', 'short'),
      short: measureCost('widget', 'short'),
      baselineLong: measureCost('baseline', 'long'),
      long: measureCost('widget', 'long'),
    },
    { rounds, warmUp: 1 },
  );
  const row = (
    metric: string,
    measured: keyof typeof costs,
    baseline: keyof typeof costs,
    key: keyof Cost,
  ) => ({
    metric,
    unit: 'µs',
    measured: costs[measured].map((sample) => sample[key]),
    baseline: costs[baseline].map((sample) => sample[key]),
  });
  return [
    toRow({
      ...row(`a token of an answer of ${short.length}`, 'short', 'baselineShort', 'task'),
      target: ratioAtMost(3),
    }),
    toRow(row('style and layout part of it', 'short', 'baselineShort', 'layout')),
    toRow({
      ...row(`a token of an answer of ${long.length}`, 'long', 'baselineLong', 'task'),
      target: ratioAtMost(3),
    }),
    toRow({
      ...row(
        `a token of an answer of ${long.length}, compared with ${short.length}`,
        'long',
        'short',
        'task',
      ),
      target: ratioAtMost(1),
    }),
  ];
}

async function countAllChanges(withPage: WithPage, setup: Setup): Promise<Row[]> {
  const { settled, all } = await withPage({ name: 'widget', setup }, async ({ page }) => {
    // Modules that arrive during an answer render its blocks again.
    await page.evaluate(loadMarkdown);
    await mountAndSettle(page);
    const changes = await page.evaluate(countChanges);
    await assertComplete(page);
    const { shown } = changes;
    if (changes.all < shown)
      throw new Error(`${changes.all} of at least ${shown} changes were seen.`);
    return changes;
  });
  const what = `DOM nodes added or removed, ${answers.counted.tokens.length} tokens`;
  return [
    toRow({ metric: `${what}: in settled blocks`, unit: '', measured: [settled], target: zero }),
    toRow({ metric: 'in total', unit: '', measured: [all] }),
  ];
}

async function measureAtFixedRate(
  withPage: WithPage,
  setup: Setup,
  rounds: number,
): Promise<Row[]> {
  const run = (name: PageName, throttleRate: number) => () =>
    runAtFixedRate(withPage, { name, setup, throttle: throttleRate });
  const runs = await interleave(
    {
      baseline: run('baseline', 1),
      widget: run('widget', 1),
      baselineSlow: run('baseline', throttle),
      widgetSlow: run('widget', throttle),
    },
    { rounds, warmUp: 0 },
  );
  const row = (metric: string, unit: string, key: keyof PacedRun, slow: '' | 'Slow' = 'Slow') => ({
    metric: `${metric} at ${tokensPerSecond} tokens/s${slow && `, ${throttle}× slower`}`,
    unit,
    measured: runs[`widget${slow}`].map((sample) => sample[key]),
    baseline: runs[`baseline${slow}`].map((sample) => sample[key]),
  });
  return [
    toRow(row('share of the main thread', '%', 'busy', '')),
    toRow(row('share of the main thread', '%', 'busy')),
    toRow(row('throughput in tokens', '/s', 'perSecond')),
    toRow({ ...row('frames over 50 ms', '', 'slowFrames'), target: zero }),
    toRow(row('longest frame', 'ms', 'longestFrame')),
  ];
}

function costPerToken(
  withPage: WithPage,
  name: PageName,
  setup: Setup,
  tokens: number,
): Promise<Cost> {
  return withPage({ name, setup }, async ({ page, counters, collectGarbage }) => {
    await mountAndSettle(page);
    await collectGarbage();
    const before = await counters();
    await page.evaluate(() => globalThis.benchChat.ask('Tell me all.'));
    const after = await counters();
    await assertComplete(page);
    const perToken = (key: keyof Cost) => ((after[key] - before[key]) * 1e6) / tokens;
    return { task: perToken('task'), layout: perToken('layout') };
  });
}

function runAtFixedRate(withPage: WithPage, options: PageOptions): Promise<PacedRun> {
  return withPage(options, async ({ page, counters }) => {
    await mountAndSettle(page);
    const before = await counters();
    const { seconds, frames } = await page.evaluate(watchFrames);
    const after = await counters();
    await assertComplete(page);
    return {
      busy: ((after.task - before.task) / seconds) * 100,
      perSecond: short.length / seconds,
      slowFrames: frames.length,
      longestFrame: Math.max(0, ...frames),
    };
  });
}

/** Mounts the chat and waits until its startup work, which the benchmark `start` measures, has finished. */
async function mountAndSettle(page: MeasuredPage['page']): Promise<void> {
  await page.evaluate(mount);
  await page.waitForTimeout(settleTime);
}

/** Runs in the page. */
const mount = () => globalThis.benchChat.mount(globalThis.benchSetup);

/** Checks that the answer is complete, because dropping tokens would make a page seem fast. */
async function assertComplete(page: MeasuredPage['page']): Promise<void> {
  const answer = await page.evaluate(() => globalThis.benchChat.answer());
  const isComplete =
    answer.includes('What happens at step 1') && answer.trimEnd().endsWith(endOfAnswer);
  if (!isComplete) throw new Error(`${page.url()} ends with: ${answer.slice(-200)}`);
}
