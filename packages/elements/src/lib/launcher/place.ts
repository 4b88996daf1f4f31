/** Position of the bubble. */
export interface Place {
  /** Side of the window, by the page's text direction. */
  readonly side: 'start' | 'end';
  /** Height from 0 (bottom) to 1 (top). A fraction, so that it is valid in a window of any size. */
  readonly up: number;
}

/** Corner of the bubble until the user moves it. */
export type Placement = 'bottom-end' | 'bottom-start' | 'top-end' | 'top-start';

export function placeOf(placement: string): Place {
  return {
    side: placement.endsWith('start') ? 'start' : 'end',
    up: placement.startsWith('top') ? 1 : 0,
  };
}

/** Move of the bubble: a step up or down, to a side of the window, or to the next corner. */
export type Direction = 'Up' | 'Down' | 'Left' | 'Right' | 'Next';

/** Sets `data-side`, `data-high` and the custom property `--up`, which the style sheet uses. */
export function setPlace(frame: HTMLElement, { side, up }: Place): void {
  frame.dataset.side = side;
  frame.toggleAttribute('data-high', up > 0.5);
  frame.style.setProperty('--up', String(up));
}

/**
 * Zoom factor of the launcher on a page with CSS `zoom`. Engines report different measures there, but
 * agree on the width of an element that is as wide as the window.
 */
export function zoomOf(layer: HTMLElement): number {
  const { width, scale } = visualViewport as VisualViewport;
  return (width * scale) / layer.clientWidth;
}

/** Sets a custom property to a length in CSS pixels; null and undefined remove it. */
export function setPixels(
  { style }: HTMLElement,
  name: string,
  pixels: number | null | undefined,
): void {
  style.setProperty(name, pixels == null ? '' : `${pixels}px`);
}
