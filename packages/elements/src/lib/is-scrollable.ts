/** Whether a target is an element, except those of the page itself, that scrolls its content. */
export function isScrollable(target: EventTarget): boolean {
  if (!(target instanceof Element) || target === document.documentElement) return false;
  if (target === document.body) return false;
  if (target instanceof HTMLInputElement) return true;
  const { overflowX, overflowY } = getComputedStyle(target);
  return (
    (/auto|scroll/.test(overflowY) && target.scrollHeight > target.clientHeight) ||
    (/auto|scroll/.test(overflowX) && target.scrollWidth > target.clientWidth)
  );
}
