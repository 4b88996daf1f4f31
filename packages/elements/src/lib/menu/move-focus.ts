/**
 * Moves focus within a menu with the arrow keys, Home and End, as in the menu pattern of the ARIA
 * Authoring Practices Guide.
 *
 * @returns Whether the key is one of these, so that its default action is to be prevented.
 */
export function moveFocus({ key }: KeyboardEvent, root: ShadowRoot): boolean {
  const items = [
    ...root.querySelectorAll<HTMLElement>('[role="menuitem"], [role="alertdialog"] button'),
  ];
  const at = items.indexOf(root.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[key];
  if (to === undefined) return false;
  items.at(to % items.length)?.focus();
  return true;
}
