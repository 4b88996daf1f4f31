import type { Strings } from '../../i18n/strings.ts';
import type { Alert, Item, List } from '../syntax/blocks.ts';
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

/** The title of an alert, which says what kind it is. */
export function createAlertTitle(kind: Alert, strings: Strings): HTMLElement {
  const titles = {
    note: strings.alertNote,
    tip: strings.alertTip,
    important: strings.alertImportant,
    warning: strings.alertWarning,
    caution: strings.alertCaution,
  };
  return create('p', { class: 'alert-title', part: 'alert-title' }, titles[kind]);
}
