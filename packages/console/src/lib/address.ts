/** The address of a page of the console, relative to its first page. */
export interface Address {
  /** Path without a leading slash, such as `conversations/ses_1`. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Reads the address of the browser. */
export function readAddress(): Address {
  const { pathname } = new URL(document.baseURI);
  return {
    path: location.pathname.slice(pathname.length),
    query: new URLSearchParams(location.search),
  };
}

/** Writes a relative address; empty parameters are left out. */
export function addressOf(path: string, query: Readonly<Record<string, string>> = {}): string {
  const entries = Object.entries(query).filter(([, value]) => value !== '');
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries)}`;
}

/** Selector of a form with changes that are not saved. */
const unsavedForm = 'form[data-unsaved]';

// A closed tab would lose them as well.
addEventListener('beforeunload', (event) => {
  if (document.querySelector(unsavedForm)) event.preventDefault();
});

/**
 * Shows another page, unless the operator wants to save changes first.
 *
 * @param options.replace Whether the present page is left out of the browser's history.
 */
export function navigate(address: string, { replace = false } = {}): void {
  if (document.querySelector(unsavedForm) && !confirm('Leave without saving your changes?')) return;
  const url = new URL(address, document.baseURI);
  // Enter in a changed field causes two events.
  if (replace || url.href === location.href) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  dispatchEvent(new PopStateEvent('popstate'));
}

/**
 * Shows the pages of links without loading the document again. Clicks with a modifier key, and links to
 * files and to other sites, are left to the browser.
 */
export function followLinks(event: MouseEvent): void {
  const { button, altKey, ctrlKey, metaKey, shiftKey, defaultPrevented } = event;
  if (button !== 0 || altKey || ctrlKey || metaKey || shiftKey || defaultPrevented) return;
  const link = event
    .composedPath()
    .find((target): target is HTMLAnchorElement => target instanceof HTMLAnchorElement);
  if (!link?.href.startsWith(document.baseURI) || link.target || link.download) return;
  event.preventDefault();
  navigate(link.href);
}
