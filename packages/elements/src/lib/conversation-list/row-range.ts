/** Overscan: rows rendered beyond the view, so that scrolling shows no gaps. */
const overscan = 6;

/** Range of rendered rows, and the height of the gaps in CSS pixels. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
  readonly before: number;
  readonly after: number;
}

/**
 * Computes the rows to render of a list with rows of equal height.
 *
 * @param options.top - Scroll position, in CSS pixels.
 * @param options.height - Height of the view, in CSS pixels.
 */
export function rowRange(
  count: number,
  { top, height, rowHeight }: { top: number; height: number; rowHeight: number },
): RowRange {
  const first = Math.floor(top / rowHeight) - overscan;
  const from = Math.max(0, Math.min(first, count - 1));
  const to = Math.min(count, Math.max(from, Math.ceil((top + height) / rowHeight) + overscan));
  return { from, to, before: from * rowHeight, after: (count - to) * rowHeight };
}
