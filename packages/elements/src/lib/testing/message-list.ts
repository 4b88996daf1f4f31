import type { Entry } from '@inlay/client';
import { entries } from './entries.ts';
import { mount, nextFrame } from './fixture.ts';
import { deepAll, until } from './user.ts';

/** Creates alternating questions and answers, whose text contains their key. */
export function questionsAndAnswers(count: number, name = 'm'): Entry[] {
  return Array.from({ length: count }, (_, index) =>
    index % 2
      ? entries.agent(`${name}${index}`, answerText(`${name}${index}`, index))
      : entries.user(`${name}${index}`, `Question ${name}${index}?`),
  );
}

/** Creates the Markdown of an answer, whose length depends on its number. */
export function answerText(name: string, number: number): string {
  const paragraphs = Array.from(
    { length: 1 + (number % 5) },
    (_, index) => `Part ${index} of **${name}** says ${'more and '.repeat((number * 7) % 23)}more.`,
  );
  return [...paragraphs, '- one\n- two\n- three'].join('\n\n');
}

/** Mounts a message list of 600 × 400 px. */
export async function mountList(
  list: readonly Entry[],
  properties: Partial<HTMLElementTagNameMap['inlay-message-list']> = {},
) {
  const element = document.createElement('inlay-message-list');
  element.style.height = '400px';
  element.style.width = '600px';
  Object.assign(element, properties, { entries: list });
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
    /** Whether the list is scrolled to the end. */
    atEnd: () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight <= 1,
    /** Resolves once updates and the frames after them are done. */
    async settled() {
      await element.updateComplete;
      for (let frame = 0; frame < 3; frame += 1) await nextFrame();
    },
    /** Scrolls as a user does, and waits until the list has reacted. */
    async scrollTo(top: number) {
      scroller.dispatchEvent(new WheelEvent('wheel'));
      scroller.scrollTop = top;
      for (let frame = 0; frame < 3; frame += 1) await nextFrame();
    },
    /** The first visible line of the messages. */
    line: () => firstLine(element, edge()),
  };
}

/** The first line of text below `edge`, found by measuring each character. */
function firstLine(element: Element, edge: number) {
  // Skips rows above the edge, because text in Markdown blocks that `content-visibility` does not lay out
  // may be measured outside its row.
  const rows = deepAll(element, '.row').filter((row) => row.getBoundingClientRect().bottom > edge);
  for (const text of rows.flatMap((row) => textsIn(row.lastElementChild ?? row))) {
    const range = document.createRange();
    range.selectNodeContents(text);
    const isVisuallyHidden = (text.parentElement?.offsetWidth ?? 0) <= 1;
    if (isVisuallyHidden || range.getBoundingClientRect().bottom <= edge + 4) continue;
    for (let offset = 0; offset < text.length; offset += 1) {
      const characterBox = () => {
        range.setStart(text, offset);
        range.setEnd(text, offset + 1);
        return range.getBoundingClientRect();
      };
      if (characterBox().bottom > edge + 4 && characterBox().height > 0) {
        return {
          words: text.data.slice(offset, offset + 40),
          /** Its current distance from the edge, in pixels; null if the text was removed. */
          top: () => (text.isConnected ? characterBox().top - edge : null),
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
