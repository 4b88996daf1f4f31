/** Keys that the page receives even while a text field has focus. */
const pageKeys = /^(?:Escape|Tab|F\d+)$/;

/**
 * Stops the propagation of keyboard events from text fields inside an element. Outside the shadow
 * tree, such an event is retargeted to the host, which is not a text field, so the page would run its
 * own shortcuts for `/`, `?` or an arrow key. Combinations with Ctrl, Alt or Meta, Escape, Tab and the
 * function keys are not stopped. Capturing listeners of the page run earlier and have to check
 * `event.composedPath()[0]`.
 */
export function stopKeyPropagation(element: HTMLElement): void {
  for (const type of ['keydown', 'keypress', 'keyup'] as const) {
    element.addEventListener(type, stopEvent);
  }
}

function stopEvent(event: KeyboardEvent) {
  const [field] = event.composedPath();
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  if (!pageKeys.test(event.key) && !isShortcut(event)) event.stopPropagation();
}

/**
 * Whether a key is combined with Ctrl, Alt or Meta. Characters that are typed with Option (macOS) or
 * AltGr (Ctrl+Alt on Windows) are not combinations.
 */
function isShortcut({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  const typesCharacter = key.length === 1 && !/[a-z\d]/i.test(key);
  return metaKey || (altKey ? !typesCharacter : ctrlKey);
}
