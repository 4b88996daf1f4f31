import { entries } from './entries.ts';
import { expect, mount } from './fixture.ts';
import { type Area, differenceOf, takePicture } from './pixels.ts';
import { mountList } from './thread.ts';
import { deepAll, until } from './user.ts';

/** How far a focus ring may reach beyond an answer, in pixels. No text of another message is that near. */
const ring = 4;

/** Distance between points that are checked for clicks, in pixels. */
const step = 10;

/** How far an area reaches beyond an element's box, in pixels of each side; `null` for not at all. */
function beyondBox(area: Area | null, element: Element): Area | null {
  if (!area) return null;
  const box = element.getBoundingClientRect();
  const beyond = {
    left: Math.max(0, box.left - ring - area.left),
    top: Math.max(0, box.top - ring - area.top),
    right: Math.max(0, area.right - box.right - ring),
    bottom: Math.max(0, area.bottom - box.bottom - ring),
  };
  return Object.values(beyond).some((pixels) => pixels >= 1) ? beyond : null;
}

/** The paint overflow of an element, in pixels per side; `null` for none. */
export async function paintedOutside(element: HTMLElement): Promise<Area | null> {
  return beyondBox(await paintOf(element), element);
}

/** Where the page looks different without an element. */
async function paintOf(element: HTMLElement): Promise<Area | null> {
  for (let attempts = 0; attempts < 10; attempts += 1) {
    const shown = await takePicture();
    element.style.visibility = 'hidden';
    const hidden = await takePicture();
    element.style.visibility = '';
    const painted = differenceOf(shown, hidden);
    if (!beyondBox(painted, element)) return painted;
    // Something else on the page may have moved meanwhile, such as a scroll bar that fades.
    if (differenceOf(shown, await takePicture()) === null) return painted;
  }
  throw new Error('The page does not come to rest.');
}

/** Points outside an element's box at which it, or something in it, would take a click. */
export function clicksOutside(element: HTMLElement): string[] {
  const root = element.getRootNode() as Document | ShadowRoot;
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const taken: string[] = [];
  for (let y = step / 2; y < innerHeight; y += step) {
    for (let x = step / 2; x < innerWidth; x += step) {
      const isInside = x > left - ring && x < right + ring && y > top - ring && y < bottom + ring;
      if (!isInside && element.contains(root.elementFromPoint(x, y))) taken.push(`${x}, ${y}`);
    }
  }
  return taken;
}

/** Fails when an element paints, or takes clicks, beyond its box. */
export async function expectContained(element: HTMLElement, name: string): Promise<void> {
  expect(clicksOutside(element).slice(0, 3), `points that take clicks: ${name}`).to.deep.equal([]);
  expect(await paintedOutside(element), `pixels outside: ${name}`).to.equal(null);
}

/** Draws one formula, so that all later ones are drawn at once. */
export async function loadFormulas(): Promise<void> {
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

/** A conversation in which an answer stands below a pending approval, between two messages. */
export async function mountApproval() {
  await loadFormulas();
  const { element, scroller, row, settled } = await mountList(conversation('First.', 'first'));
  element.style.height = '580px';
  scroller.style.scrollbarWidth = 'none';
  await until('an approval', () => deepAll(element, '.ask').length > 0);
  let count = 0;
  return {
    element,
    /** Shows an answer; gives its element. */
    async answer(text: string): Promise<HTMLElement> {
      count += 1;
      const key = `answer-${count}`;
      element.entries = conversation(text, key);
      scroller.scrollTop = 0;
      const answer = await until('an answer', () => {
        const found = row(key);
        return found && deepAll<HTMLElement>(found, 'inlay-markdown')[0];
      });
      await settled();
      scroller.scrollTop += answer.getBoundingClientRect().top - 300;
      await settled();
      return answer;
    },
  };
}
