import '../../define-all.ts';
import type { Entry } from '@inlay/client';
import fc from 'fast-check';
import { entries } from '../testing/entries.ts';
import { expect } from '../testing/fixture.ts';
import { answerText, mountList, questionsAndAnswers } from '../testing/message-list.ts';
import { deepAll } from '../testing/user.ts';

type List = Awaited<ReturnType<typeof mountList>>;

/** Maximum number of rendered rows: five screens of the shortest rows. */
const maxRows = 280;

/** Maximum distance from the end, in pixels, at which the list follows new content: the `nearEnd` of `FollowController`. */
const nearEnd = 40;

let createdCount = 0;

function replaceLast(list: readonly Entry[], text: string): readonly Entry[] {
  const last = list.at(-1);
  return last?.kind === 'agent' ? [...list.slice(0, -1), { ...last, text }] : list;
}

/** Changes other than scrolling. */
const listChanges: Record<string, (list: List, size: number) => void> = {
  prepend({ element }, size) {
    createdCount += 1;
    element.entries = [
      ...questionsAndAnswers(2 * (size % 60), `p${createdCount} `),
      ...element.entries,
    ];
  },
  append({ element }, size) {
    createdCount += 1;
    element.entries = [
      ...element.entries,
      entries.agent(`a${createdCount}`, answerText(`a${createdCount}`, size)),
    ];
  },
  grow({ element }, size) {
    element.entries = replaceLast(element.entries, answerText('grown', size % 40));
  },
  padAbove({ element, scroller }, size) {
    const edge = scroller.getBoundingClientRect().top;
    const above = deepAll(element, '.row').filter(
      (row) => row.getBoundingClientRect().bottom < edge,
    );
    above[size % (above.length || 1)]?.style.setProperty('padding-bottom', `${size}px`);
  },
  setHeight({ element }, size) {
    element.style.height = `${260 + size}px`;
  },
  setWidth({ element }, size) {
    element.style.width = `${360 + size}px`;
  },
};

const steps = fc.array(
  fc.record({
    action: fc.constantFrom('scroll', 'jump', ...Object.keys(listChanges)),
    size: fc.integer({ min: 0, max: 300 }),
  }),
  { minLength: 4, maxLength: 9 },
);

/** The first visible line when the user last scrolled. Later changes may wrap its text differently. */
interface Reading {
  readonly words: string;
  /** How far the line has moved since, in pixels; `NaN` if it was removed. */
  readonly moved: () => number;
}

function read(list: List): Reading | null {
  const line = list.line();
  const before = line?.top() ?? null;
  if (!line || before === null) return null;
  return { words: line.words, moved: () => Math.abs((line.top() ?? Number.NaN) - before) };
}

/** Runs a step, and expects the first visible line and the visible rows to stay. Returns the line to compare after the next step. */
async function runStep(
  list: List,
  { action, size }: { action: string; size: number },
  reading: Reading | null,
): Promise<Reading | null> {
  const { scroller, settled } = list;
  const { scrollHeight, scrollTop, clientHeight } = scroller;
  const wasAtEnd = scrollHeight - scrollTop - clientHeight <= nearEnd;
  const inView = rowsInView(list);
  if (action === 'scroll') await list.scrollTo(scrollTop + 4 * (size - 150));
  else if (action === 'jump') await list.scrollTo((scrollHeight * size) / 300);
  else {
    listChanges[action]?.(list, size);
    await settled();
  }

  const isKept = reading !== null && reading.moved() <= 1;
  const isScroll = action === 'scroll' || action === 'jump';
  // The line may move if the list follows its end, or is at its top and can't scroll up further.
  if (!isScroll && !wasAtEnd && scroller.scrollTop > 0 && reading) {
    expect(reading.moved(), `“${reading.words}” after ${action} ${size}`).to.be.at.most(1);
    const rowsBefore = new Map(inView.map((row) => [row.dataset.key, row]));
    for (const row of rowsInView(list)) {
      const { key } = row.dataset;
      expect(rowsBefore.get(key) ?? row, `row ${key} after ${action}`).to.equal(row);
    }
  }
  return isKept ? reading : read(list);
}

function rowsInView({ rows, scroller }: List): HTMLElement[] {
  const { top, bottom } = scroller.getBoundingClientRect();
  return rows().filter((row) => {
    const box = row.getBoundingClientRect();
    return box.bottom > top && box.top < bottom;
  });
}

describe('inlay-message-list under random changes', () => {
  it('keeps the first visible line in place and the rows in order, and renders at most 280 rows', async function () {
    // Rows are rendered while the browser is idle, which is seldom on a busy machine.
    this.timeout(400_000);
    await fc
      .assert(
        fc.asyncProperty(steps, async (chosenSteps) => {
          const list = await mountList(questionsAndAnswers(300));
          await list.settled();
          await list.scrollTo(list.scroller.scrollHeight / 2);
          let reading = read(list);
          for (const step of chosenSteps) {
            reading = await runStep(list, step, reading);
            expect(list.rows().length).to.be.within(1, maxRows);
            const order = list.element.entries.map(({ key }) => key);
            const places = list.keys().map((key) => order.indexOf(key));
            expect(places).to.deep.equal([...places].sort((a, b) => a - b));
            expect(rowsInView(list).length).to.be.at.least(1);
          }
          list.element.remove();
        }),
        {
          numRuns: 8,
          examples: [
            // The edge of the view is in the space below a message.
            [
              [
                { action: 'padAbove', size: 12 },
                { action: 'scroll', size: 58 },
                { action: 'grow', size: 0 },
                { action: 'append', size: 0 },
                { action: 'setWidth', size: 0 },
              ],
            ],
            // After scrolling up far, only the space above the first rendered row is in view.
            [
              [
                { action: 'setHeight', size: 0 },
                { action: 'append', size: 0 },
                { action: 'scroll', size: 0 },
                { action: 'setWidth', size: 0 },
              ],
            ],
            // After scrolling up far, the first visible row is rendered after the one below it.
            [
              [
                { action: 'scroll', size: 0 },
                { action: 'setWidth', size: 0 },
              ],
            ],
            // When the width changes, WebKit moves the position into the range of a first, shorter layout.
            [
              [
                { action: 'scroll', size: 0 },
                { action: 'scroll', size: 87 },
                { action: 'setWidth', size: 0 },
                { action: 'setWidth', size: 288 },
              ],
            ],
          ],
        },
      )
      .catch((error) => {
        console.log(String(error.cause));
        throw error;
      });
  });
});
