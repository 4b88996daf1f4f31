import type { Strings } from '../../i18n/strings.ts';
import { changeContent } from './content-guard.ts';

/** Duration for which the button of a code block shows "Copied", in milliseconds. */
const copiedDuration = 2_000;

/**
 * Copies a code block and confirms it on the button. If copying is not allowed, selects the code.
 *
 * @returns Whether the code was copied.
 */
export async function copyCode(
  block: Element,
  button: Element,
  text: string,
  strings: Strings,
): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const code = block.querySelector('code');
    if (code) getSelection()?.selectAllChildren(code);
    return false;
  }
  const name = block.querySelector('pre')?.ariaLabel;
  const show = (label: string) => {
    changeContent(button, () => {
      // The text follows the icon.
      button.lastChild?.replaceWith(label);
    });
    button.ariaLabel = `${label}, ${name}`;
  };
  show(strings.copied);
  setTimeout(() => show(strings.copy), copiedDuration);
  return true;
}
