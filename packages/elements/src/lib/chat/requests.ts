import type { InlayRequestDetails } from '../events.ts';

/** Handlers for the requests of inner elements. A handler that returns false prevents the request. */
export type RequestHandlers = {
  [Name in keyof InlayRequestDetails]: (detail: InlayRequestDetails[Name]) => unknown;
};

/** Handlers for the requests of entries in the message list. */
export type EntryRequestHandlers = Pick<
  RequestHandlers,
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

/** Handles the requests of inner elements and stops them, so that the page does not receive them. */
export function handleRequests(root: EventTarget, handlers: Partial<RequestHandlers>): void {
  for (const [name, handler] of Object.entries(handlers)) {
    root.addEventListener(name, (event) => {
      event.stopPropagation();
      const { detail } = event as CustomEvent;
      if ((handler as (detail: unknown) => unknown)(detail) === false) event.preventDefault();
    });
  }
}
