/** Keys that mean something to the page also while somebody writes. */
const shared = /^(?:Escape|Tab|F\d+)$/;

/**
 * Keeps what is typed in the fields of an element from the page around it. A page takes an event
 * from inside for one of the element, which is no field, and runs the shortcut that it has on `/`,
 * `?` or an arrow. The element's own listeners hear every key; combinations with Ctrl, Alt or Meta,
 * Escape, Tab and the function keys pass. A page that listens while events go down, before they
 * reach the element, has to look at `event.composedPath()[0]`.
 */
export function keepTyping(element: HTMLElement): void {
  for (const type of ['keydown', 'keypress', 'keyup'] as const) {
    element.addEventListener(type, keep);
  }
}

function keep(event: KeyboardEvent) {
  const [field] = event.composedPath();
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  if (!shared.test(event.key) && !isCombined(event)) event.stopPropagation();
}

/** Alt writes on a Mac, and with Ctrl, as AltGr, on Windows: then the key is another than its letter. */
function isCombined({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  const written = key.length === 1 && !/[a-z\d]/i.test(key);
  return metaKey || (altKey ? !written : ctrlKey);
}
