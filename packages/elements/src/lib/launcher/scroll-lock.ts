let holders = 0;
let before = '';

/** Keeps the page behind from scrolling until the returned function is called, once or more. */
export function lockScroll(): () => void {
  const { style } = document.documentElement;
  if (holders === 0) {
    before = style.overflow;
    style.overflow = 'hidden';
  }
  holders += 1;

  let held = true;
  return () => {
    if (!held) return;
    held = false;
    holders -= 1;
    if (holders === 0) style.overflow = before;
  };
}
