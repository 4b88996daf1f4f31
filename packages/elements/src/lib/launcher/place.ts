/** Where the bubble is: at one of the sides of the window, and how far up. */
export interface Place {
  /** By the direction of the page's text. */
  readonly side: 'start' | 'end';
  /** From 0, the lowest place, to 1, the highest. A share, so that it stays inside any window. */
  readonly up: number;
}

/** The corner of the window in which a bubble stands until the user moves it. */
export type Placement = 'bottom-end' | 'bottom-start' | 'top-end' | 'top-start';

export function placeOf(placement: string): Place {
  return {
    side: placement.endsWith('start') ? 'start' : 'end',
    up: placement.startsWith('top') ? 1 : 0,
  };
}

/** Ways for a bubble to go: a step up or down, to a side of the window, or to the next corner. */
export type Direction = 'Up' | 'Down' | 'Left' | 'Right' | 'Next';

/** Tells a style sheet the place, by `data-side`, `data-high` and the custom property `--up`. */
export function setPlace(frame: HTMLElement, { side, up }: Place): void {
  frame.dataset.side = side;
  frame.toggleAttribute('data-high', up > 0.5);
  frame.style.setProperty('--up', String(up));
}

/**
 * How many pixels of the window make one of the launcher's, on a page with `zoom`. Engines differ in
 * what they measure there; they agree on the width of what is as wide as the window.
 */
export function zoomOf(layer: HTMLElement): number {
  const { width, scale } = visualViewport as VisualViewport;
  return (width * scale) / layer.clientWidth;
}

/** Sets a custom property to a length; null takes it away. */
export function setPixels({ style }: HTMLElement, name: string, pixels: number | null): void {
  style.setProperty(name, pixels === null ? '' : `${pixels}px`);
}
