import type { InlayError } from '@inlay/client';

/** How long a chat may take to start before its owner is told, in milliseconds. */
const patience = 10_000;

/**
 * What the owner of a page has to put right, in the console: one line at most, and none for what
 * only concerns the person who uses it, such as having no network or not being signed in.
 */
export class DeveloperNote {
  readonly #element: Element;
  #told = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(element: Element) {
    this.#element = element;
  }

  /** The chat begins; what it needs is to be there before long. */
  expectStart(): void {
    this.clear();
    this.#timer = setTimeout(() => {
      if (navigator.onLine) this.#report('The chat has not started within 10 seconds.');
    }, patience);
  }

  /** It started, or nobody waits any more. */
  clear(): void {
    clearTimeout(this.#timer);
  }

  /**
   * Something stands in the way that only the owner can move.
   *
   * @param remedy - What to do about it, where the message does not say so.
   */
  tell({ message }: InlayError, remedy = ''): void {
    this.clear();
    // An address in it may have a secret in its query.
    this.#report(`${message.replace(/\?\S+/g, '')} ${remedy}`.trim());
  }

  #report(text: string): void {
    if (this.#told) return;
    this.#told = true;
    const root = this.#element.getRootNode();
    const { localName } = root instanceof ShadowRoot ? root.host : this.#element;
    console.error(
      `<${localName}> ${text} For more: (await document.querySelector('${localName}').diagnose()).text`,
    );
  }
}
