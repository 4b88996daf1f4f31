import { isScrollable } from '../is-scrollable.ts';

let lockCount = 0;
let stylesBefore = { overflow: '', scrollbarGutter: '' };

/**
 * Locks scrolling of the page. The space of the scrollbar is kept, so that the layout does not move.
 * Scroll containers in the page are not locked.
 *
 * @returns An unlock function, which may be called more than once.
 */
export function lockScroll(): () => void {
  const { style } = document.documentElement;
  if (lockCount === 0) {
    stylesBefore = { overflow: style.overflow, scrollbarGutter: style.scrollbarGutter };
    if (window.innerWidth > document.documentElement.clientWidth) style.scrollbarGutter = 'stable';
    style.overflow = 'hidden';
    document.addEventListener('touchmove', preventPageScroll, { passive: false });
  }
  lockCount += 1;

  let isLocked = true;
  return () => {
    if (!isLocked) return;
    isLocked = false;
    lockCount -= 1;
    if (lockCount > 0) return;
    Object.assign(style, stylesBefore);
    document.removeEventListener('touchmove', preventPageScroll);
  };
}

/**
 * Prevents touch scrolling of the page. iOS ignores `overflow: hidden` while the keyboard is open or
 * at the end of a scroll container. Pinch zoom and text selection stay possible.
 */
function preventPageScroll(event: TouchEvent) {
  const hasSelection = getSelection()?.isCollapsed === false;
  if (!event.cancelable || event.touches.length > 1 || hasSelection) return;
  if (!event.composedPath().some(isScrollable)) event.preventDefault();
}
