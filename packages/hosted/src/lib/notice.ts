import { wayBack } from './way-back.ts';
import type { Words } from './words.ts';

/** A page with one thing to say and a way on, which `back` names. */
export function notice(title: string, text: string, back: string): HTMLElement {
  const box = document.createElement('section');
  box.className = 'notice';
  box.setAttribute('role', 'status');
  const heading = document.createElement('h1');
  heading.textContent = title;
  const paragraph = document.createElement('p');
  paragraph.textContent = text;
  box.append(heading, paragraph);
  const link = wayOn(back);
  if (link) box.append(link);
  return box;
}

/** The notice that is shown while the code could not be exchanged yet. */
export interface WaitingNotice {
  readonly element: HTMLElement;
  /** The latest attempt has failed: the button can be pressed again. */
  rest(): void;
}

/**
 * Says that the page still tries, and offers to try at once.
 *
 * @param onRetry - Called when the person presses the button. What it rejects with is ignored.
 */
export function waitingNotice(words: Words, onRetry: () => Promise<unknown>): WaitingNotice {
  const element = notice(words.waitingTitle, words.waitingText, words.back);
  const spinner = document.createElement('div');
  spinner.className = 'spinner';
  spinner.ariaHidden = 'true';
  element.prepend(spinner);

  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'way-on';
  const setBusy = (busy: boolean) => {
    // Not `disabled`, which would drop the focus.
    button.ariaDisabled = String(busy);
    button.textContent = busy ? words.trying : words.retry;
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
  return { element, rest: () => setBusy(false) };
}

/** The link to where the person came from; null where that is not known. */
export function wayOn(back: string): HTMLAnchorElement | null {
  const address = wayBack();
  if (!address) return null;
  const link = document.createElement('a');
  link.className = 'way-on';
  link.href = address;
  link.textContent = back.replace('{host}', new URL(address).hostname);
  return link;
}
