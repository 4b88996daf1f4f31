import type { Strings } from '../../i18n/strings.ts';
import type { Item, List } from '../syntax/blocks.ts';
import { create } from './dom.ts';

/**
 * Creates a heading. Its element is two levels lower, because the headings of the host page are above
 * those of an answer; its style follows the level in the text.
 */
export function createHeading(level: number): HTMLElement {
  const tags = ['h3', 'h4', 'h5', 'h6', 'h6', 'h6'] as const;
  return create(tags[level - 1] ?? 'h6', { part: 'heading', class: `level-${level}` });
}

export function createList({ ordered, start }: List): HTMLElement {
  if (!ordered) return create('ul', { part: 'list' });
  return create('ol', { part: 'list', ...(start === 1 ? {} : { start: String(start) }) });
}

/** Creates the checkbox of a task. */
export function createCheckbox({ task }: Item, strings: Strings): HTMLElement {
  const done = task === 'done';
  return create('input', {
    type: 'checkbox',
    part: 'task',
    disabled: '',
    'aria-label': done ? strings.taskDone : strings.taskOpen,
    ...(done ? { checked: '' } : {}),
  });
}
