import { type Direction, type Place, setPlace, zoomOf } from './place.ts';

export interface MoverOptions {
  /** Where the bubble is now; null where it must not be moved. */
  readonly place: () => Place | null;
  /** As wide as the window, and what `setPlace` is told. The bubble is inside. */
  readonly frame: () => HTMLElement;
  /** It was taken up, or has got another place. */
  readonly onMove: (place: Place | null) => void;
  /** It is to be moved without being dragged. */
  readonly onWish: (direction: Direction) => void;
  /** It was pressed, not moved. */
  readonly onPress: () => void;
}

/** Pixels that a finger or a hand may tremble before a press is no press any more. */
const threshold = 4;
/** How near to an end of its way, as a share, the bubble snaps to it. */
const snap = 0.08;

/**
 * Handles clicks on the bubble and moves it: by dragging, with Shift and the arrow keys, or from
 * corner to corner with a right click or a long press (WCAG 2.5.7: dragging is not the only way). Has
 * to be registered for each of the bubble's `moverEvents`.
 */
export class Mover implements EventListenerObject {
  readonly #options: MoverOptions;
  #from: PointerEvent | null = null;
  #dragging = false;

  constructor(options: MoverOptions) {
    this.#options = options;
  }

  handleEvent(event: Event): void {
    const bubble = event.currentTarget as HTMLElement;
    const { type } = event;
    if (type === 'click') {
      // What ends a drag is no press.
      if (!this.#dragging) this.#options.onPress();
    } else if (!this.#options.place()) return;
    else if (type === 'pointerdown') this.#press(bubble, event as PointerEvent);
    else if (type === 'pointermove') this.#drag(bubble, event as PointerEvent);
    else if (type === 'keydown') this.#wish(event, arrowOf(event as KeyboardEvent));
    else if (type === 'contextmenu') this.#wish(event, 'Next');
    // A picture in the bubble would be dragged by itself.
    else if (type === 'dragstart') event.preventDefault();
    else this.#drop(bubble);
  }

  #press(bubble: HTMLElement, event: PointerEvent) {
    this.#dragging = false;
    this.#from = event.isPrimary && event.button === 0 ? event : null;
    // So that a fast hand does not lose it. A script's own event has no pointer to hold.
    if (this.#from && event.isTrusted) bubble.setPointerCapture(event.pointerId);
  }

  #drag(bubble: HTMLElement, event: PointerEvent) {
    if (!this.#from || event.pointerId !== this.#from.pointerId) return;
    const x = event.clientX - this.#from.clientX;
    const y = event.clientY - this.#from.clientY;
    if (!this.#dragging) {
      if (Math.hypot(x, y) <= threshold) return;
      this.#dragging = true;
      this.#options.onMove(null);
      bubble.style.transition = 'none';
    }
    shift(bubble, x, y, zoomOf(this.#options.frame()));
  }

  #drop(bubble: HTMLElement) {
    this.#from = null;
    if (!this.#dragging) return;
    // The click, where the browser sends one, follows in the same task.
    setTimeout(() => {
      this.#dragging = false;
    });
    const seen = bubble.getBoundingClientRect();
    bubble.style.translate = '';
    const place = this.#nearest(bubble, seen);
    const frame = this.#options.frame();
    setPlace(frame, place);
    this.#options.onMove(place);
    const now = bubble.getBoundingClientRect();
    shift(bubble, seen.x - now.x, seen.y - now.y, zoomOf(frame));
    // The style sheet's transition begins where the hand has let go, once the browser knows of it.
    void bubble.offsetWidth;
    bubble.style.transition = '';
    bubble.style.translate = '';
  }

  /** Measured at the ends of the way, whatever offsets, safe areas and zoom have made of it. */
  #nearest(bubble: HTMLElement, seen: DOMRect): Place {
    const at = (place: Place) => {
      setPlace(this.#options.frame(), place);
      return bubble.getBoundingClientRect();
    };
    const low = at({ side: 'start', up: 0 });
    const high = at({ side: 'end', up: 1 });
    const up = (low.y - seen.y) / (low.y - high.y || 1);
    const side = Math.abs(seen.x - low.x) < Math.abs(seen.x - high.x) ? 'start' : 'end';
    return { side, up: up < snap ? 0 : up > 1 - snap ? 1 : up };
  }

  #wish(event: Event, direction: Direction | null) {
    if (!direction) return;
    event.preventDefault();
    this.#options.onWish(direction);
  }
}

/** The events that a `Mover` wants of a bubble. */
export const moverEvents =
  'pointerdown pointermove pointerup pointercancel keydown contextmenu dragstart click'.split(' ');

function arrowOf({ shiftKey, key }: KeyboardEvent): Direction | null {
  return shiftKey && key.startsWith('Arrow') ? (key.slice(5) as Direction) : null;
}

/** By pixels, of which so many make one of the bubble's. */
function shift(bubble: HTMLElement, x: number, y: number, zoom: number) {
  bubble.style.translate = `${x / zoom}px ${y / zoom}px`;
}
