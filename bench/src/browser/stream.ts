import type { Figure } from '../lib/figure.ts';
import { interleave } from '../lib/interleave.ts';
import { none, type Row, ratioAtMost, toRow } from '../lib/row.ts';
import { endOfAnswer, longAnswer, toTokens } from './answers.ts';
import type { PageName } from './build-pages.ts';
import { countChanges } from './count-changes.ts';
import type { MeasuredPage, PageOptions } from './measured-page.ts';
import type { Setup } from './pages/contender.ts';
import { watchFrames } from './watch-frames.ts';
import { type OnPage, withPreparedPlatform } from './with-browser.ts';

const pace = 200;
const throttle = 4;
/** Milliseconds after which all work of the start has finished, even with CPU throttling. */
const settled = 2000;
const few = toTokens(longAnswer(2_000));
const many = toTokens(longAnswer(20_000));
const answers = {
  few: { tokens: few, pace: null },
  many: { tokens: many, pace: null },
  steady: { tokens: few, pace },
};

/** Main-thread time per token in microseconds. */
interface Cost {
  task: number;
  layout: number;
}

interface Pace {
  /** Share of the main thread in per cent. */
  busy: number;
  /** Throughput in tokens per second. */
  perSecond: number;
  /** Frames that took longer than 50 ms. */
  slowFrames: number;
  /** Duration in milliseconds; 0 if no frame took longer than 50 ms. */
  longestFrame: number;
}

/** Cost of a streamed token in the page, from socket to pixel. */
export const stream: Figure = {
  name: 'stream',
  title: 'main thread for each token of a Markdown answer',
  take: ({ rounds }) =>
    withPreparedPlatform(answers, async (onPage, setup) => ({
      rows: [
        ...(await atFullSpeed(onPage, setup, Math.min(rounds, 3))),
        ...(await changesOf(onPage, setup('few'))),
        ...(await atFixedRate(onPage, setup('steady'), 1)),
      ],
      notes: [
        'Each token is a separate event, sent as fast as the page reads. Time is the processor time of all tasks of the main thread (`TaskDuration`): reading, parsing, style, layout and paint.',
        'Settled: a block of the answer that was already followed by another block. Changes are counted in a separate run.',
        'Slow frames are those with a `long-animation-frame` entry.',
      ],
    })),
};

async function atFullSpeed(
  onPage: OnPage,
  setup: (name: string) => Setup,
  rounds: number,
): Promise<Row[]> {
  const cost = (name: PageName, answer: 'few' | 'many') => () =>
    costOf(onPage, name, setup(answer), answers[answer].tokens.length);
  const costs = await interleave(
    {
      bareFew: cost('bare', 'few'),
      few: cost('widget', 'few'),
      bareMany: cost('bare', 'many'),
      many: cost('widget', 'many'),
    },
    { rounds, warmUp: 1 },
  );
  const row = (
    what: string,
    ours: keyof typeof costs,
    floor: keyof typeof costs,
    key: keyof Cost,
  ) => ({
    what,
    unit: 'µs',
    ours: costs[ours].map((sample) => sample[key]),
    floor: costs[floor].map((sample) => sample[key]),
  });
  return [
    toRow({
      ...row(`a token of ${few.length}`, 'few', 'bareFew', 'task'),
      target: ratioAtMost(3),
    }),
    toRow(row('of that, style and layout', 'few', 'bareFew', 'layout')),
    toRow({
      ...row(`a token of ${many.length}`, 'many', 'bareMany', 'task'),
      target: ratioAtMost(3),
    }),
    toRow({
      ...row(
        `a token of ${many.length}, against one of ${few.length} of ours`,
        'many',
        'few',
        'task',
      ),
      target: ratioAtMost(1),
    }),
  ];
}

async function changesOf(onPage: OnPage, setup: Setup): Promise<Row[]> {
  const { settled, all } = await onPage({ name: 'widget', setup }, async ({ page }) => {
    await begin(page);
    const changes = await page.evaluate(countChanges);
    await assertComplete(page);
    // Several tokens may share a change. Fewer changes than this mean that observing failed.
    if (changes.all < few.length / 4) throw new Error(`Only ${changes.all} changes were seen.`);
    return changes;
  });
  const what = `DOM nodes added or removed, ${few.length} tokens`;
  return [
    toRow({ what: `${what}: in settled blocks`, unit: '', ours: [settled], target: none }),
    toRow({ what: 'in all', unit: '', ours: [all] }),
  ];
}

async function atFixedRate(onPage: OnPage, setup: Setup, rounds: number): Promise<Row[]> {
  const follow = (name: PageName, slower: number) => () =>
    paceOf(onPage, { name, setup, throttle: slower });
  const paces = await interleave(
    {
      bare: follow('bare', 1),
      widget: follow('widget', 1),
      bareSlow: follow('bare', throttle),
      widgetSlow: follow('widget', throttle),
    },
    { rounds, warmUp: 0 },
  );
  const row = (what: string, unit: string, key: keyof Pace, slow: '' | 'Slow' = 'Slow') => ({
    what: `${what} at ${pace} tokens/s${slow && `, ${throttle}× slower`}`,
    unit,
    ours: paces[`widget${slow}`].map((sample) => sample[key]),
    floor: paces[`bare${slow}`].map((sample) => sample[key]),
  });
  return [
    toRow(row('share of the main thread', '%', 'busy', '')),
    toRow(row('share of the main thread', '%', 'busy')),
    toRow(row('tokens kept up with', '/s', 'perSecond')),
    toRow({ ...row('frames over 50 ms', '', 'slowFrames'), target: none }),
    toRow(row('longest of them', 'ms', 'longestFrame')),
  ];
}

function costOf(onPage: OnPage, name: PageName, setup: Setup, tokens: number): Promise<Cost> {
  return onPage({ name, setup }, async ({ page, counters, collectGarbage }) => {
    await begin(page);
    await collectGarbage();
    const before = await counters();
    await page.evaluate(() => globalThis.contender.ask('Tell me all.'));
    const after = await counters();
    await assertComplete(page);
    const each = (key: keyof Cost) => ((after[key] - before[key]) * 1e6) / tokens;
    return { task: each('task'), layout: each('layout') };
  });
}

function paceOf(onPage: OnPage, options: PageOptions): Promise<Pace> {
  return onPage(options, async ({ page, counters }) => {
    await begin(page);
    const before = await counters();
    const { seconds, frames } = await page.evaluate(watchFrames);
    const after = await counters();
    await assertComplete(page);
    return {
      busy: ((after.task - before.task) / seconds) * 100,
      perSecond: few.length / seconds,
      slowFrames: frames.length,
      longestFrame: Math.max(0, ...frames),
    };
  });
}

/** Mounts the chat and waits until the work of the start, which `start` measures, has finished. */
async function begin(page: MeasuredPage['page']): Promise<void> {
  await page.evaluate(mount);
  await page.waitForTimeout(settled);
}

/** Runs in the page. */
const mount = () => globalThis.contender.mount(globalThis.benchSetup);

/** Checks that the answer is complete, because dropping tokens would make a page seem fast. */
async function assertComplete(page: MeasuredPage['page']): Promise<void> {
  const answer = await page.evaluate(() => globalThis.contender.answer());
  const whole = answer.includes('What happens at step 1') && answer.trimEnd().endsWith(endOfAnswer);
  if (!whole) throw new Error(`${page.url()} ends with: ${answer.slice(-200)}`);
}
