import { pressListeners } from '../event-keeper.ts';

/**
 * Calls a function when the user moves focus out of an element, or presses outside of it.
 *
 * @returns Cleanup function.
 */
export function onLeave(element: Element, leave: () => void): () => void {
  /** The last press inside. In a closed shadow tree, the document can't tell it by its path. */
  let pressInside: Event | undefined;
  const handlePressInside = (event: Event) => {
    pressInside = event;
  };
  const handlePress = (event: Event) => {
    if (event !== pressInside) leave();
  };
  const handleFocusOut = ({ relatedTarget }: Event & { readonly relatedTarget?: unknown }) => {
    // `relatedTarget` is null if no other element received focus, for example because the window lost
    // focus or the focused element was replaced.
    if (relatedTarget instanceof Node && !element.contains(relatedTarget)) leave();
  };
  element.addEventListener('focusout', handleFocusOut);
  element.addEventListener('pointerdown', handlePressInside);
  document.addEventListener('pointerdown', handlePress);
  pressListeners.add(handlePress);
  return () => {
    element.removeEventListener('focusout', handleFocusOut);
    element.removeEventListener('pointerdown', handlePressInside);
    document.removeEventListener('pointerdown', handlePress);
    pressListeners.delete(handlePress);
  };
}
