/** Selector of the links of a list's rows. */
const rowLink = '[data-row]';

/**
 * Keys of lists: `/` goes to the first filter, `j` and `k` to the next and the previous row. Enter opens
 * a row, because rows are links.
 */
export function handleListKeys(event: KeyboardEvent): void {
  const { key, altKey, ctrlKey, metaKey, defaultPrevented, target } = event;
  if (altKey || ctrlKey || metaKey || defaultPrevented || isField(target)) return;
  if (key === '/') focus(document.querySelector('main form :is(input, select)'), event);
  if (key !== 'j' && key !== 'k') return;
  const rows = [...document.querySelectorAll<HTMLElement>(rowLink)];
  const current = rows.indexOf(document.activeElement as HTMLElement);
  const next = key === 'j' ? current + 1 : Math.max(current, 1) - 1;
  focus(rows[next] ?? null, event);
}

function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, select, textarea');
}

function focus(element: Element | null, event: Event): void {
  if (!(element instanceof HTMLElement)) return;
  event.preventDefault();
  element.focus();
}
