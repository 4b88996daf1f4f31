/** Rows beyond the view that are drawn all the same, so that scrolling shows no gaps. */
const spare = 6;

/** Which rows of a list are drawn, and what stands for the others, in pixels. */
export interface ListWindow {
  readonly from: number;
  readonly to: number;
  readonly before: number;
  readonly after: number;
}

/**
 * The rows near the view of a list whose rows are all as high as each other.
 *
 * @param options.top - How far it is scrolled, in pixels.
 * @param options.height - How much of it is in view, in pixels.
 */
export function windowOf(
  count: number,
  { top, height, rowHeight }: { top: number; height: number; rowHeight: number },
): ListWindow {
  const first = Math.floor(top / rowHeight) - spare;
  const from = Math.max(0, Math.min(first, count - 1));
  const to = Math.min(count, Math.max(from, Math.ceil((top + height) / rowHeight) + spare));
  return { from, to, before: from * rowHeight, after: (count - to) * rowHeight };
}
