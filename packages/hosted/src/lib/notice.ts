import type { PageStrings } from './page-strings.ts';
import { findReturnUrl } from './return-url.ts';

/**
 * Creates a notice that replaces the chat, with the name of the agent and a link back to the host site.
 *
 * @param back - Label of the link; `{host}` is replaced by the host name of the site.
 */
export function createNotice(title: string, text: string, back: string): HTMLElement {
  const box = document.createElement('section');
  box.className = 'notice';
  box.setAttribute('role', 'status');
  const heading = document.createElement('h1');
  heading.textContent = title;
  const paragraph = document.createElement('p');
  paragraph.textContent = text;
  const name = document.querySelector<HTMLMetaElement>('meta[name="inlay-agent-name"]')?.content;
  if (name) {
    const label = document.createElement('p');
    label.className = 'name';
    label.dir = 'auto';
    label.textContent = name;
    box.append(label);
  }
  box.append(heading, paragraph);
  const link = createReturnLink(back);
  if (link) box.append(link);
  return box;
}

/** The notice shown while the exchange of the code is being retried. */
export interface WaitingNotice {
  readonly element: HTMLElement;
  /** Enables the button again after an attempt has failed. */
  enableRetry(): void;
}

/**
 * Creates a notice that the page is still connecting, with a button that retries immediately.
 *
 * @param onRetry - Called when the user presses the button. Rejections are ignored.
 */
export function createWaitingNotice(
  strings: PageStrings,
  onRetry: () => Promise<unknown>,
): WaitingNotice {
  const element = createNotice(strings.waitingTitle, strings.waitingText, strings.back);
  const spinner = document.createElement('div');
  spinner.className = 'spinner';
  spinner.ariaHidden = 'true';
  element.prepend(spinner);

  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'action';
  const setBusy = (busy: boolean) => {
    // `disabled` would remove the focus.
    button.ariaDisabled = String(busy);
    button.textContent = busy ? strings.trying : strings.retry;
  };
  setBusy(false);
  button.addEventListener('click', () => {
    if (button.ariaDisabled === 'true') return;
    setBusy(true);
    onRetry().catch(() => undefined);
  });
  const back = element.querySelector('a');
  back?.classList.add('quiet');
  element.insertBefore(button, back);
  return { element, enableRetry: () => setBusy(false) };
}

/** Creates the link back to the host site; null if its address is unknown. */
export function createReturnLink(back: string): HTMLAnchorElement | null {
  const address = findReturnUrl();
  if (!address) return null;
  const link = document.createElement('a');
  link.className = 'action';
  link.href = address;
  link.textContent = back.replace('{host}', new URL(address).hostname);
  return link;
}
