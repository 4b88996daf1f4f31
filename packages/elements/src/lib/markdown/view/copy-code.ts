import type { Strings } from '../../i18n/strings.ts';

/** How long the button of a block of code says that it was copied, in milliseconds. */
const copiedFor = 2_000;

/** Copies a block of code and shows it. Resolves with whether the page allowed it. */
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
