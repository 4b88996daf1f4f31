import type { Strings } from '../../i18n/strings.ts';

/** How long the button of a code block shows "copied", in milliseconds. */
const copiedFor = 2_000;

/** Copies a code block and confirms it on the button. Resolves with whether that succeeded. */
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
  button.textContent = strings.copied;
  setTimeout(() => {
    button.textContent = strings.copy;
  }, copiedFor);
  return true;
}
