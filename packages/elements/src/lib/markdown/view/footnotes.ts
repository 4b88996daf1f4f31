import { createElement } from '../../create-element.ts';
import { format } from '../../i18n/format.ts';
import type { Strings } from '../../i18n/strings.ts';
import type { RenderOptions } from './render-options.ts';

/** Creates a footnote reference. */
export function createFootnoteMark(
  label: string,
  { strings, noteNumber }: RenderOptions,
): HTMLElement {
  const button = createElement('button', { type: 'button', class: 'mark', 'data-label': label });
  setNumber(button, 'note', strings.footnote, noteNumber?.(label) ?? 0);
  button.textContent = button.getAttribute('data-note');
  return createElement('sup', { part: 'footnote-mark' }, button);
}

function setNumber(button: HTMLElement, name: 'note' | 'back', text: string, number: number): void {
  const attribute = `data-${name}`;
  if (button.getAttribute(attribute) === String(number)) return;
  button.setAttribute(attribute, String(number));
  button.setAttribute('aria-label', format(text, { number }));
}

interface Note {
  readonly element: HTMLElement;
  readonly back: HTMLElement;
}

/**
 * The footnotes of a text. They are listed below the text in the order of their first references. Footnotes
 * without references, and footnotes whose label has already been defined, are not shown.
 */
export class Footnotes {
  readonly element: HTMLElement;
  readonly #list: HTMLElement;
  readonly #strings: Strings;
  readonly #notes = new Map<string, Note>();
  readonly #numbers = new Map<string, number>();

  constructor(strings: Strings) {
    this.#strings = strings;
    this.#list = createElement('ol', { part: 'list' });
    const attributes = { class: 'notes', part: 'footnotes', 'aria-label': strings.footnotes };
    this.element = createElement('section', attributes, this.#list);
  }

  /** Creates a footnote with its link back to the text. It is inserted when it is numbered. */
  add(label: string): { element: HTMLElement; content: HTMLElement } {
    const content = createElement('div');
    const back = createElement('button', { class: 'note-back', type: 'button' }, '↩');
    const attributes = { class: 'note', tabindex: '-1', 'data-label': label };
    const element = createElement('li', attributes, content, back);
    if (!this.#notes.has(label)) this.#notes.set(label, { element, back });
    return { element, content };
  }

  /** Returns the number of a footnote; the next number if it has none yet. */
  numberOf(label: string): number {
    const number = this.#numbers.get(label) ?? this.#numbers.size + 1;
    this.#numbers.set(label, number);
    return number;
  }

  /**
   * Numbers and sorts the footnotes.
   *
   * @returns How many references to footnotes the text contains.
   */
  arrange(root: Element): number {
    const marks = [...root.children].flatMap((child) =>
      child === this.element ? [] : marksIn(child),
    );
    const order: Note[] = [];
    this.#numbers.clear();
    for (let index = 0; index < marks.length; index += 1) {
      const mark = marks[index] as HTMLElement;
      const { label = '' } = mark.dataset;
      const note = this.#notes.get(label);
      if (note && !this.#numbers.has(label)) {
        this.#numbers.set(label, order.push(note));
        marks.push(...marksIn(note.element));
      }
      setNumber(mark, 'note', this.#strings.footnote, this.#numbers.get(label) ?? 0);
      const number = mark.getAttribute('data-note');
      if (mark.textContent !== number) mark.textContent = number;
    }
    order.forEach(({ element, back }, index) => {
      setNumber(back, 'back', this.#strings.footnoteBack, index + 1);
      const current = this.#list.children[index] ?? null;
      if (current !== element) this.#list.insertBefore(element, current);
    });
    while (this.#list.children.length > order.length) this.#list.lastElementChild?.remove();
    if (order.length === 0) this.element.remove();
    else if (root.lastElementChild !== this.element) root.append(this.element);
    return marks.length;
  }
}

const marksIn = (element: Element) => [
  ...element.querySelectorAll<HTMLElement>('.mark[data-label]'),
];
