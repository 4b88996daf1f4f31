import type { Entry } from '@inlay/client';
import { entries } from './entries.ts';
import { mount, nextFrame } from './fixture.ts';
import { deepAll, until } from './user.ts';

/** A question and its answer after the other, numbered so that each line says where it is from. */
export function thread(count: number, name = 'm'): Entry[] {
  return Array.from({ length: count }, (_, index) =>
    index % 2
      ? entries.agent(`${name}${index}`, answer(`${name}${index}`, index))
      : entries.user(`${name}${index}`, `Question ${name}${index}?`),
  );
}

/** An answer of Markdown, longer or shorter by its number. */
export function answer(name: string, number: number): string {
  const paragraphs = Array.from(
    { length: 1 + (number % 5) },
    (_, index) => `Part ${index} of **${name}** says ${'more and '.repeat((number * 7) % 23)}more.`,
  );
  return [...paragraphs, '- one\n- two\n- three'].join('\n\n');
}

/** A list of messages in the page, with what is needed to look at it as a reader does. */
export async function mountList(
  list: readonly Entry[],
  set: Partial<HTMLElementTagNameMap['inlay-message-list']> = {},
) {
  const element = document.createElement('inlay-message-list');
  element.style.height = '400px';
  element.style.width = '600px';
  Object.assign(element, set, { entries: list });
  mount(element);
  await element.updateComplete;
  const scroller = await until('a log', () => deepAll(element, '[role=log]')[0]);
  const edge = () => scroller.getBoundingClientRect().top;
  const rows = () => deepAll(element, '.row');
  return {
    element,
    scroller,
    rows,
    keys: () => rows().map(({ dataset }) => dataset.key ?? ''),
    row: (key: string) => rows().find(({ dataset }) => dataset.key === key),
    /** Whether the end is in view. */
    atEnd: () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight <= 1,
    /** Until everything that is to happen by itself has happened. */
    async settled() {
      await element.updateComplete;
      for (let frame = 0; frame < 3; frame += 1) await nextFrame();
    },
    /** Scrolls as a reader does, and lets what follows from it happen. */
    async scrollTo(top: number) {
      scroller.scrollTop = top;
      for (let frame = 0; frame < 3; frame += 1) await nextFrame();
    },
    line: () => firstLine(element, edge()),
  };
}

/** The first line of what was said that shows below an edge, looked for plainly: character by character. */
function firstLine(element: Element, edge: number) {
  for (const text of deepAll(element, '.row > :last-child').flatMap((row) => textsIn(row))) {
    const range = document.createRange();
    range.selectNodeContents(text);
    const isHeardOnly = (text.parentElement?.offsetWidth ?? 0) <= 1;
    if (isHeardOnly || range.getBoundingClientRect().bottom <= edge + 4) continue;
    for (let offset = 0; offset < text.length; offset += 1) {
      const top = () => {
        range.setStart(text, offset);
        range.setEnd(text, offset + 1);
        return range.getBoundingClientRect();
      };
      if (top().bottom > edge + 4 && top().height > 0) {
        return {
          words: text.data.slice(offset, offset + 40),
          /** Where it is now, in pixels below the edge; null where its text is gone. */
          top: () => (text.isConnected ? top().top - edge : null),
        };
      }
    }
  }
  return null;
}

function textsIn(node: Node): Text[] {
  if (node instanceof Text) return node.data.trim() === '' ? [] : [node];
  if (node instanceof HTMLStyleElement) return [];
  const tree = node instanceof Element ? (node.shadowRoot ?? node) : node;
  return [...tree.childNodes].flatMap((child) => textsIn(child));
}
