let holders = 0;
let before = { overflow: '', scrollbarGutter: '' };

/**
 * Keeps the page behind from scrolling until the returned function is called, once or more. The
 * room of a scrollbar is kept, so that nothing behind moves. What scrolls by itself goes on.
 */
export function lockScroll(): () => void {
  const { style } = document.documentElement;
  if (holders === 0) {
    before = { overflow: style.overflow, scrollbarGutter: style.scrollbarGutter };
    if (window.innerWidth > document.documentElement.clientWidth) style.scrollbarGutter = 'stable';
    style.overflow = 'hidden';
    document.addEventListener('touchmove', holdPage, { passive: false });
  }
  holders += 1;

  let held = true;
  return () => {
    if (!held) return;
    held = false;
    holders -= 1;
    if (holders > 0) return;
    Object.assign(style, before);
    document.removeEventListener('touchmove', holdPage);
  };
}

/**
 * iOS moves the page under a finger whatever its style says, as soon as the keyboard is up or an end
 * is reached. Two fingers may zoom, and a selection may be drawn out.
 */
function holdPage(event: TouchEvent) {
  const selects = getSelection()?.isCollapsed === false;
  if (!event.cancelable || event.touches.length > 1 || selects) return;
  if (!event.composedPath().some(scrolls)) event.preventDefault();
}

function scrolls(target: EventTarget): boolean {
  if (!(target instanceof Element) || target === document.documentElement) return false;
  if (target === document.body) return false;
  if (target instanceof HTMLInputElement) return true;
  const { overflowX, overflowY } = getComputedStyle(target);
  return (
    (/auto|scroll/.test(overflowY) && target.scrollHeight > target.clientHeight) ||
    (/auto|scroll/.test(overflowX) && target.scrollWidth > target.clientWidth)
  );
}
