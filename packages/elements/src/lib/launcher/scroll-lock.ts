let holders = 0;
let before = { overflow: '', scrollbarGutter: '' };

/**
 * Locks scrolling of the page. The space of the scrollbar is kept, so that the layout does not move.
 * Scroll containers in the page are not locked.
 *
 * @returns An unlock function, which may be called more than once.
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
 * Prevents touch scrolling of the page. iOS ignores `overflow: hidden` while the keyboard is open or
 * at the end of a scroll container. Pinch zoom and text selection stay possible.
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
