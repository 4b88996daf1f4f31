import { focusWhenScrollable } from '../../controllers/focusable-scrollers.ts';
import type { Strings } from '../../i18n/strings.ts';
import type { Quote } from '../syntax/blocks.ts';
import { create } from './dom.ts';

/** Creates a code block with its header. The code is rendered into `code`. */
export function createCodeBlock(language: string, strings: Strings) {
  const name = language ? `${strings.codeBlock}: ${language}` : strings.codeBlock;
  const code = create('code', { translate: 'no' });
  const pre = create('pre', { role: 'group', 'aria-label': name }, code);
  focusWhenScrollable(pre);
  // The accessible names start with the visible texts, and differ from the names of the message's
  // buttons.
  const wrap = {
    part: 'wrap',
    type: 'button',
    class: 'wrap',
    'aria-pressed': 'false',
    'aria-label': `${strings.wrapCode}, ${name}`,
  };
  const copy = {
    part: 'copy',
    type: 'button',
    class: 'copy',
    'aria-label': `${strings.copy}, ${name}`,
  };
  const element = create(
    'div',
    { part: 'code', class: 'code', dir: 'ltr' },
    create(
      'div',
      { part: 'code-header', class: 'code-header' },
      create('span', { part: 'code-language' }, language || strings.codeBlock),
      create('button', wrap, strings.wrapCode),
      create('button', copy, strings.copy),
    ),
    pre,
  );
  return { element, code };
}

/** Creates the title of an alert, such as “Note”. */
export function createAlertTitle({ alert }: Quote, strings: Strings): HTMLElement | undefined {
  if (!alert) return undefined;
  const titles = {
    note: strings.alertNote,
    tip: strings.alertTip,
    important: strings.alertImportant,
    warning: strings.alertWarning,
    caution: strings.alertCaution,
  };
  return create('p', { class: 'alert-title', part: 'alert-title' }, titles[alert]);
}
