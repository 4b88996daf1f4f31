/** Overscan: rows rendered beyond the view, so that scrolling and headings show no gaps. */
const overscan = 6;

/**
 * Computes the rows to render of a list with rows of equal height. Headings between the rows are not
 * counted: the overscan is higher than all of them.
 *
 * @param options.top - Scroll position, in CSS pixels.
 * @param options.height - Height of the view, in CSS pixels.
 */
export function rowRange(
  count: number,
  { top, height, rowHeight }: { top: number; height: number; rowHeight: number },
): { readonly from: number; readonly to: number } {
  const first = Math.floor(top / rowHeight) - overscan;
  const from = Math.max(0, Math.min(first, count - 1));
  const to = Math.min(count, Math.max(from, Math.ceil((top + height) / rowHeight) + overscan));
  return { from, to };
}
