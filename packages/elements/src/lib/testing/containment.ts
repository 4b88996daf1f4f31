import { entries } from './entries.ts';
import { expect, mount } from './fixture.ts';
import { mountList } from './message-list.ts';
import { type Area, changedArea, takeScreenshot } from './pixels.ts';
import { deepAll, until } from './user.ts';

/** Width in pixels of the area around an answer where its focus ring may paint. */
const focusRing = 4;

/** Distance between the points whose click targets are checked, in pixels. */
const step = 10;

/** How far an area extends beyond an element's box, in pixels per side; `null` if it doesn't. */
function overflowOf(area: Area | null, element: Element): Area | null {
  if (!area) return null;
  const box = element.getBoundingClientRect();
  const overflow = {
    left: Math.max(0, box.left - focusRing - area.left),
    top: Math.max(0, box.top - focusRing - area.top),
    right: Math.max(0, area.right - box.right - focusRing),
    bottom: Math.max(0, area.bottom - box.bottom - focusRing),
  };
  return Object.values(overflow).some((pixels) => pixels >= 1) ? overflow : null;
}

/** The paint overflow of an element, in pixels per side; `null` for none. */
export async function paintOverflow(element: HTMLElement): Promise<Area | null> {
  return overflowOf(await paintedArea(element), element);
}

/** The area in which the page looks different without an element. */
async function paintedArea(element: HTMLElement): Promise<Area | null> {
  let shown = await takeScreenshot();
  let unrelated: Area | null = null;
  let wasOutside = false;
  for (let attempts = 0; attempts < 20; attempts += 1) {
    element.style.visibility = 'hidden';
    const changed = changedArea(shown, await takeScreenshot());
    element.style.visibility = '';
    if (!overflowOf(changed, element)) return changed;
    // Something else on the page may have changed in between, such as a scroll bar that fades. Overflow
    // is reported only if the next attempt finds it again.
    const shownAgain = await takeScreenshot();
    unrelated = changedArea(shown, shownAgain);
    if (unrelated === null && wasOutside) return changed;
    wasOutside = unrelated === null;
    shown = shownAgain;
  }
  throw new Error(`The page keeps changing: ${JSON.stringify(unrelated)}.`);
}

/** Points outside an element's box at which the element or a descendant is the click target. */
export function clickTargetsOutside(element: HTMLElement): string[] {
  const root = element.getRootNode() as Document | ShadowRoot;
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const points: string[] = [];
  for (let y = step / 2; y < innerHeight; y += step) {
    for (let x = step / 2; x < innerWidth; x += step) {
      const isInside =
        x > left - focusRing &&
        x < right + focusRing &&
        y > top - focusRing &&
        y < bottom + focusRing;
      if (!isInside && element.contains(root.elementFromPoint(x, y))) points.push(`${x}, ${y}`);
    }
  }
  return points;
}

/** Expects that an element neither paints nor receives clicks outside its box. */
export async function expectContained(element: HTMLElement, name: string): Promise<void> {
  const points = clickTargetsOutside(element).slice(0, 3);
  expect(points, `points outside that receive clicks: ${name}`).to.deep.equal([]);
  expect(await paintOverflow(element), `pixels outside: ${name}`).to.equal(null);
}

/** Loads the lazy-loaded formula renderer, so that later formulas are rendered immediately. */
export async function loadFormulaRenderer(): Promise<void> {
  const element = mount(document.createElement('inlay-markdown'));
  element.text = '$x$';
  await until('a formula', () => deepAll(element, 'math').length === 1);
  element.remove();
}

const conversation = (text: string, key: string) => [
  entries.user('before', 'Please refund the order.'),
  entries.tool('card', {
    name: 'refund',
    input: { amount: '5,000 euros' },
    explanation: 'Refunds 5,000 euros to the customer.',
    progress: 'approval',
    result: null,
    endedAt: null,
  }),
  entries.agent(key, text),
  entries.user('after', 'What does this mean? '.repeat(10)),
];

/** Mounts a conversation with an answer below a pending approval. */
export async function mountApproval() {
  await loadFormulaRenderer();
  const { element, scroller, row, settled } = await mountList(conversation('First.', 'first'));
  element.style.height = '580px';
  scroller.style.scrollbarWidth = 'none';
  await until('an approval', () => deepAll(element, '.ask').length > 0);
  let count = 0;
  return {
    element,
    /** Replaces the answer, scrolls to it, and returns its element. */
    async showAnswer(text: string): Promise<HTMLElement> {
      count += 1;
      const key = `answer-${count}`;
      element.entries = conversation(text, key);
      scroller.scrollTop = 0;
      const answer = await until('an answer', () => {
        const answerRow = row(key);
        return answerRow && deepAll<HTMLElement>(answerRow, 'inlay-markdown')[0];
      });
      await settled();
      scroller.scrollTop += answer.getBoundingClientRect().top - 300;
      await settled();
      return answer;
    },
  };
}
