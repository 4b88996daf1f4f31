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
  const index = items.indexOf(root.activeElement as HTMLElement);
  const target = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[key];
  if (target === undefined) return false;
  items.at(target % items.length)?.focus();
  return true;
}
