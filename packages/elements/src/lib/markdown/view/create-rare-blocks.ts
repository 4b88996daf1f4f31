import { createElement } from '../../create-element.ts';
import { focusWhenScrollable } from '../../focusable-scrollers.ts';
import type { Strings } from '../../i18n/strings.ts';
import { copyPath } from '../../icons/paths.ts';
import { languageName } from '../language-names.ts';
import type { Quote } from '../syntax/blocks.ts';

const wrapPath = 'M4.5 7h15M4.5 12H16a3 3 0 0 1 0 6h-3.5M14.5 16l-2 2 2 2M4.5 17h4';

function createIcon(path: string): SVGElement {
  const createSvgElement = (tag: string, attributes: Readonly<Record<string, string>>) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag) as SVGElement;
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const icon = createSvgElement('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' });
  icon.append(createSvgElement('path', { d: path }));
  return icon;
}

/** Creates a code block with its header. The code is rendered into `code`. */
export function createCodeBlock(fence: string, strings: Strings) {
  const language = languageName(fence);
  const name = language ? `${strings.codeBlock}: ${language}` : strings.codeBlock;
  const code = createElement('code', { translate: 'no' });
  const pre = createElement('pre', { role: 'group', 'aria-label': name }, code);
  // The accessible names start with the visible texts, and differ from the names of the message's
  // buttons.
  const wrap = {
    part: 'wrap',
    type: 'button',
    class: 'wrap',
    'aria-pressed': 'false',
    'aria-label': `${strings.wrapCode}, ${name}`,
  };
  const wrapButton = createElement('button', wrap, createIcon(wrapPath), strings.wrapCode);
  wrapButton.hidden = true;
  wrapButton.addEventListener('click', () => {
    wrapButton.ariaPressed = String(element.classList.toggle('wrapped'));
  });
  focusWhenScrollable(pre, (overflows) => {
    // Wrapped lines do not overflow.
    wrapButton.hidden = !overflows && wrapButton.ariaPressed === 'false';
  });
  const copy = {
    part: 'copy',
    type: 'button',
    class: 'copy',
    'aria-label': `${strings.copy}, ${name}`,
  };
  const element = createElement(
    'div',
    { part: 'code', class: 'code', dir: 'ltr' },
    createElement(
      'div',
      { part: 'code-header', class: 'code-header' },
      createElement('span', { part: 'code-language' }, language || strings.codeBlock),
      wrapButton,
      createElement('button', copy, createIcon(copyPath), strings.copy),
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
  return createElement('p', { class: 'alert-title', part: 'alert-title' }, titles[alert]);
}
