import type { InlayError } from '@inlay/client';

/** Time until a chat that has not started is reported, in milliseconds. */
const startTimeoutMs = 10_000;

/**
 * Reports problems that only the developer of the page can solve, as at most one line in the
 * console. Problems of the user, such as a lost network or a missing sign-in, are not reported.
 */
export class DeveloperNote {
  readonly #element: Element;
  #isReported = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(element: Element) {
    this.#element = element;
  }

  /** Starts the timer after which a chat that has not started is reported. */
  expectStart(): void {
    this.clear();
    this.#timer = setTimeout(() => {
      if (navigator.onLine) this.reportText('The chat has not started within 10 seconds.');
    }, startTimeoutMs);
  }

  /** Stops the timer. */
  clear(): void {
    clearTimeout(this.#timer);
  }

  /**
   * Reports an error to the developer.
   *
   * @param remedy - Remedy to add if the message does not contain one.
   */
  report({ message }: InlayError, remedy = ''): void {
    this.clear();
    // The query of a URL in the message may contain a secret.
    this.reportText(`${message.replace(/\?\S+/g, '')} ${remedy}`.trim());
  }

  /** Reports a text to the developer. */
  reportText(text: string): void {
    if (this.#isReported) return;
    this.#isReported = true;
    const root = this.#element.getRootNode();
    const { localName } = root instanceof ShadowRoot ? root.host : this.#element;
    console.error(
      `<${localName}> ${text} For more: (await document.querySelector('${localName}').diagnose()).text`,
    );
  }
}
