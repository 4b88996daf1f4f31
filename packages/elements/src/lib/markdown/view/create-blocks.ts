import { createElement } from '../../create-element.ts';
import type { Strings } from '../../i18n/strings.ts';
import type { Item, List } from '../syntax/blocks.ts';

/**
 * Creates a heading. Its element is three levels lower, because the headings of the host page, of the chat
 * and of the message are above it; its style follows the level in the text.
 */
export function createHeading(level: number): HTMLElement {
  const tags = ['h4', 'h5'] as const;
  return createElement(tags[level - 1] ?? 'h6', { part: 'heading', class: `level-${level}` });
}

export function createList({ ordered, start }: List): HTMLElement {
  if (!ordered) return createElement('ul', { part: 'list' });
  return createElement('ol', { part: 'list', ...(start === 1 ? {} : { start: String(start) }) });
}

/** Creates the checkbox of a task. */
export function createCheckbox({ task }: Item, strings: Strings): HTMLElement {
  const done = task === 'done';
  return createElement('input', {
    type: 'checkbox',
    part: 'task',
    disabled: '',
    'aria-label': done ? strings.taskDone : strings.taskOpen,
    ...(done ? { checked: '' } : {}),
  });
}
