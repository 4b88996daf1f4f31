import type { Strings } from '../../i18n/strings.ts';

/** How long the button of a block of code says that it was copied, in milliseconds. */
const copiedFor = 2_000;

/** Copies a block of code and says so. Resolves with whether the page allowed it. */
export async function copyCode(
  block: Element,
  button: Element,
  text: string,
  strings: Strings,
): Promise<boolean> {
  const status = statusOf(block);
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const code = block.querySelector('code');
    if (code) getSelection()?.selectAllChildren(code);
    status.textContent = strings.copyFailed;
    return false;
  }
  button.textContent = strings.copied;
  status.textContent = strings.copied;
  setTimeout(() => {
    button.textContent = strings.copy;
    status.textContent = '';
  }, copiedFor);
  return true;
}

/** The region that screen readers listen to. It has to be there before it says something. */
function statusOf(block: Element): Element {
  const existing = block.querySelector('[role=status]');
  if (existing) return existing;
  const status = document.createElement('span');
  status.setAttribute('role', 'status');
  status.className = 'status';
  block.append(status);
  return status;
}
