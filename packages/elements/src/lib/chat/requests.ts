import type { InlayRequestDetails } from '../events.ts';

/** Answers to the requests of the inner elements. False prevents the request. */
export type Answers = {
  [Name in keyof InlayRequestDetails]: (detail: InlayRequestDetails[Name]) => unknown;
};

/** What is asked of something that was said. What answers it is fetched after the field. */
export const entryRequests = [
  'inlay-retry',
  'inlay-discard',
  'inlay-retry-last',
  'inlay-again',
  'inlay-edit',
  'inlay-show-version',
  'inlay-load-earlier',
  'inlay-rate',
  'inlay-decide',
  'inlay-card-action',
] as const;

export type EntryAnswers = Pick<Answers, (typeof entryRequests)[number]>;

/** Has the requests of the inner elements answered, and keeps them from the page. */
export function answerRequests(root: EventTarget, answers: Partial<Answers>): void {
  for (const [name, answer] of Object.entries(answers)) {
    root.addEventListener(name, (event) => {
      event.stopPropagation();
      const { detail } = event as CustomEvent;
      if ((answer as (detail: unknown) => unknown)(detail) === false) event.preventDefault();
    });
  }
}

/** Has requests wait that come before what answers them, and then come once more. */
export function holdRequests(
  root: EventTarget,
  names: readonly string[],
  arrival: Promise<unknown>,
): void {
  const hold = (event: Event) => {
    const [target] = event.composedPath();
    event.stopPropagation();
    const { type, detail } = event as CustomEvent;
    void arrival.then(() =>
      target?.dispatchEvent(
        new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable: true }),
      ),
    );
  };
  for (const name of names) {
    root.addEventListener(name, hold);
    void arrival.then(() => root.removeEventListener(name, hold));
  }
}
