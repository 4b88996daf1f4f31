import type { InlayRequestDetails } from '../events.ts';

/** Answers to the requests of the inner elements. False prevents the request. */
export type Answers = {
  [Name in keyof InlayRequestDetails]: (detail: InlayRequestDetails[Name]) => unknown;
};

/** The requests of what stands in the message list. */
export type EntryAnswers = Pick<
  Answers,
  | 'inlay-retry'
  | 'inlay-discard'
  | 'inlay-retry-last'
  | 'inlay-again'
  | 'inlay-entry-edit-request'
  | 'inlay-show-version'
  | 'inlay-load-earlier'
  | 'inlay-entry-rating-request'
  | 'inlay-entry-decision-request'
  | 'inlay-entry-card-request'
>;

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
