import { format } from '../../i18n/format.ts';
import type { Strings } from '../../i18n/strings.ts';
import type { Item, List } from '../syntax/blocks.ts';
import { create } from './dom.ts';

/**
 * The host page has its own headings, and an answer belongs somewhere below them: its first level is
 * the page's third. The look follows the level that was written.
 */
export function createHeading(level: number): HTMLElement {
  const tags = ['h3', 'h4', 'h5', 'h6', 'h6', 'h6'] as const;
  return create(tags[level - 1] ?? 'h6', { part: 'heading', class: `level-${level}` });
}

export function createList({ ordered, start }: List): HTMLElement {
  if (!ordered) return create('ul', { part: 'list' });
  return create('ol', { part: 'list', ...(start === 1 ? {} : { start: String(start) }) });
}

/** The box of a task. */
export function createBox({ task }: Item, strings: Strings): HTMLElement {
  const done = task === 'done';
  return create('input', {
    type: 'checkbox',
    part: 'task',
    disabled: '',
    'aria-label': done ? strings.taskDone : strings.taskOpen,
    ...(done ? { checked: '' } : {}),
  });
}

/** A block of code with its header. The code itself goes into `code`. */
export function createCode(language: string, strings: Strings) {
  const name = language ? `${strings.codeBlock}: ${language}` : strings.codeBlock;
  const code = create('code');
  const wrap = { part: 'wrap', type: 'button', class: 'wrap', 'aria-pressed': 'false' };
  const element = create(
    'div',
    { part: 'code', class: 'code', dir: 'ltr' },
    create(
      'div',
      { part: 'code-header', class: 'code-header' },
      create('span', { part: 'code-language' }, language || strings.codeBlock),
      create('button', wrap, strings.wrapCode),
      create('button', { part: 'copy', type: 'button', class: 'copy' }, strings.copy),
    ),
    create('pre', { tabindex: '0', role: 'group', 'aria-label': name }, code),
  );
  return { element, code };
}

/** The list that footnotes are gathered in, below everything else. */
export function createNotes(strings: Strings) {
  const list = create('ol', { part: 'list' });
  const attributes = { class: 'notes', part: 'footnotes', 'aria-label': strings.footnotes };
  return { element: create('section', attributes, list), list };
}

/** A footnote, with the way back to where it is referred to. */
export function createNote(number: number, strings: Strings) {
  const content = create('div');
  const label = format(strings.footnoteBack, { number });
  const back = create(
    'button',
    { class: 'note-back', type: 'button', 'aria-label': label, 'data-back': String(number) },
    '↩',
  );
  return { element: create('li', { class: 'note', tabindex: '-1' }, content, back), content };
}
