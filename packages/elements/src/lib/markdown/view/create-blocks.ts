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

/** Creates the checkbox of a task. */
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
