import type { Figure } from '../lib/figure.ts';
import { interleave } from '../lib/interleave.ts';
import { none, ratioAtMost, toRow } from '../lib/row.ts';
import { countTokens, longAnswer } from './answers.ts';
import type { PageName } from './build-pages.ts';
import { type Changes, countChanges } from './count-changes.ts';
import { type Pace, watchPace } from './watch-pace.ts';
import { type Stage, withBrowser } from './with-browser.ts';

const short = longAnswer(2_000);
const long = longAnswer(20_000);
const throttle = 4;
const steady = longAnswer(2_000);

const agents = {
  short: { text: short, delay: 0 },
  long: { text: long, delay: 0 },
  // 200 tokens a second.
  steady: { text: steady, delay: 5 },
};
type Agent = keyof typeof agents;

/** Microseconds of the main thread for one token. */
interface Cost {
  task: number;
  script: number;
  layout: number;
}

/** What a token costs the page, from the socket to the pixel. */
export const stream: Figure = {
  name: 'stream',
  title: 'main thread for each token of a Markdown answer',
  take: ({ rounds }) =>
    withBrowser({ agents }, async (stage) => {
      const cost = (name: PageName, agent: Agent) => () => askOnce(stage, name, agent);
      const costs = await interleave(
        {
          bareShort: cost('bare', 'short'),
          short: cost('widget', 'short'),
          bareLong: cost('bare', 'long'),
          long: cost('widget', 'long'),
        },
        { rounds, warmUp: 1 },
      );
      const row = (what: string, ours: 'short' | 'long', key: keyof Cost) => ({
        what,
        unit: 'µs',
        ours: costs[ours].map((sample) => sample[key]),
        floor: costs[ours === 'short' ? 'bareShort' : 'bareLong'].map((sample) => sample[key]),
      });
      const [few, many] = [countTokens(short), countTokens(long)];
      const changes = await countOnce(stage);
      const paces = await interleave(
        { bare: () => paceOnce(stage, 'bare'), widget: () => paceOnce(stage, 'widget') },
        { rounds: Math.min(rounds, 2), warmUp: 0 },
      );
      const paceRow = (what: string, unit: string, key: keyof Pace) => ({
        what,
        unit,
        ours: paces.widget.map((pace) => pace[key]),
        floor: paces.bare.map((pace) => pace[key]),
      });
      return {
        rows: [
          toRow({ ...row(`a token of ${few}`, 'short', 'task'), target: ratioAtMost(3) }),
          toRow(row('of that, script', 'short', 'script')),
          toRow(row('of that, style and layout', 'short', 'layout')),
          toRow({ ...row(`a token of ${many}`, 'long', 'task'), target: ratioAtMost(3) }),
          toRow({
            what: `a token of ${many}, against one of ${few}: both ours`,
            unit: 'µs',
            ours: costs.long.map(({ task }) => task),
            floor: costs.short.map(({ task }) => task),
            target: ratioAtMost(1),
          }),
          toRow({
            what: `DOM nodes added or removed in settled blocks, ${few} tokens`,
            unit: '',
            ours: [changes.settled],
            target: none,
          }),
          toRow({ what: 'DOM nodes added or removed in all', unit: '', ours: [changes.all] }),
          toRow(paceRow(`main thread at ${throttle}× throttle, steady pace`, '%', 'busy')),
          toRow(paceRow('tokens a second of that', '', 'perSecond')),
          toRow({ ...paceRow('frames over 50 ms in it', '', 'slowFrames'), target: none }),
          toRow(paceRow('longest frame in it', 'ms', 'longestFrame')),
        ],
        notes: [
          'As fast as it takes them: the model waits for nothing. Time is what all tasks of the main thread took (`TaskDuration`), which includes style, layout and paint.',
          'Settled: a block of the answer that another follows. DOM changes are counted in a run of their own.',
          `The steady pace is that of a model that waits 5 ms after each token, for ${few} tokens.`,
        ],
      };
    }),
};

function askOnce(stage: Stage, name: PageName, agent: Agent): Promise<Cost> {
  return stage.onPage({ name, agent }, async ({ page, counters, collectGarbage }) => {
    await page.evaluate(() => globalThis.contender.mount(globalThis.benchSetup));
    await collectGarbage();
    const before = await counters();
    const answer = await page.evaluate(async () => {
      await globalThis.contender.ask('Tell me all.');
      return globalThis.contender.answer();
    });
    const after = await counters();
    assertWhole(answer, name);
    const tokens = countTokens(agents[agent].text);
    const each = (key: keyof Cost) => ((after[key] - before[key]) * 1e6) / tokens;
    return { task: each('task'), script: each('script'), layout: each('layout') };
  });
}

function countOnce(stage: Stage): Promise<Changes> {
  return stage.onPage({ name: 'widget', agent: 'short' }, async ({ page }) => {
    await page.evaluate(() => globalThis.contender.mount(globalThis.benchSetup));
    const changes = await page.evaluate(countChanges);
    assertWhole(await page.evaluate(() => globalThis.contender.answer()), 'widget');
    return changes;
  });
}

function paceOnce(stage: Stage, name: PageName): Promise<Pace> {
  return stage.onPage({ name, agent: 'steady' }, async ({ page, counters, throttle: slow }) => {
    await page.evaluate(() => globalThis.contender.mount(globalThis.benchSetup));
    await slow(throttle);
    const before = await counters();
    const { seconds, slowFrames, longestFrame } = await page.evaluate(watchPace);
    const after = await counters();
    assertWhole(await page.evaluate(() => globalThis.contender.answer()), name);
    return {
      busy: ((after.task - before.task) / seconds) * 100,
      perSecond: countTokens(steady) / seconds,
      slowFrames,
      longestFrame,
    };
  });
}

/** A page that drops a part of the answer would be fast, and wrong. */
function assertWhole(answer: string, name: PageName): void {
  if (answer.trimEnd().endsWith('That was the end.') && answer.includes('What happens at step 1')) {
    return;
  }
  throw new Error(`${name} does not show the whole answer; its end is: ${answer.slice(-200)}`);
}
