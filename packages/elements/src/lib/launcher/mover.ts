import { type Direction, type Place, setPlace, zoomOf } from './place.ts';

export interface MoverOptions {
  /** Current place of the bubble; null if it can't be moved. */
  readonly place: () => Place | null;
  /** Element that contains the bubble and is as wide as the window, for `setPlace`. */
  readonly frame: () => HTMLElement;
  /** Called when a drag starts (with null) or the place has changed. */
  readonly onMove: (place: Place | null) => void;
  /** Called to move the bubble without dragging. */
  readonly onStep: (direction: Direction) => void;
  /** Called when the bubble was clicked, not dragged. */
  readonly onPress: () => void;
}

/** Maximum movement of the pointer during a click, in CSS pixels. A longer movement is a drag. */
const maxClickMovement = 4;
/** Distance within which the bubble snaps to an end, as a fraction of the movable distance. */
const snapFraction = 0.08;

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
      // The click that ends a drag is ignored.
      if (!this.#dragging) this.#options.onPress();
    } else if (!this.#options.place()) return;
    else if (type === 'keydown') this.#step(event, arrowOf(event as KeyboardEvent));
    else if (type === 'contextmenu') this.#step(event, 'Next');
    // A second finger does not affect the drag of the first one.
    else if (!(event as PointerEvent).isPrimary) return;
    else if (type === 'pointerdown') this.#press(bubble, event as PointerEvent);
    else if (type === 'pointermove') this.#drag(bubble, event as PointerEvent);
    else this.#drop(bubble);
  }

  #press(bubble: HTMLElement, event: PointerEvent) {
    this.#dragging = false;
    this.#from = event.button === 0 ? event : null;
    // Keeps receiving events during fast moves. Synthetic events have no pointer to capture.
    if (this.#from && event.isTrusted) bubble.setPointerCapture(event.pointerId);
  }

  #drag(bubble: HTMLElement, event: PointerEvent) {
    if (!this.#from) return;
    const x = event.clientX - this.#from.clientX;
    const y = event.clientY - this.#from.clientY;
    if (!this.#dragging) {
      if (Math.hypot(x, y) <= maxClickMovement) return;
      this.#dragging = true;
      this.#options.onMove(null);
      bubble.style.transition = 'none';
    }
    translateBubble(bubble, x, y, zoomOf(this.#options.frame()));
  }

  #drop(bubble: HTMLElement) {
    this.#from = null;
    if (!this.#dragging) return;
    // If the browser dispatches a click, it does so in the same task.
    setTimeout(() => {
      this.#dragging = false;
    });
    const box = bubble.getBoundingClientRect();
    bubble.style.translate = '';
    const place = this.#nearest(bubble, box);
    const frame = this.#options.frame();
    setPlace(frame, place);
    this.#options.onMove(place);
    const newBox = bubble.getBoundingClientRect();
    translateBubble(bubble, box.x - newBox.x, box.y - newBox.y, zoomOf(frame));
    // Forces layout, so that the transition starts at the point of release.
    void bubble.offsetWidth;
    bubble.style.cssText = '';
  }

  /** Finds the nearest place. Measures both ends, because offsets, safe areas and zoom affect them. */
  #nearest(bubble: HTMLElement, box: DOMRect): Place {
    const boxAt = (place: Place) => {
      setPlace(this.#options.frame(), place);
      return bubble.getBoundingClientRect();
    };
    const bottomStart = boxAt({ side: 'start', up: 0 });
    const topEnd = boxAt({ side: 'end', up: 1 });
    const up = (bottomStart.y - box.y) / (bottomStart.y - topEnd.y || 1);
    const side = Math.abs(box.x - bottomStart.x) < Math.abs(box.x - topEnd.x) ? 'start' : 'end';
    return { side, up: up < snapFraction ? 0 : up > 1 - snapFraction ? 1 : up };
  }

  #step(event: Event, direction: Direction | null) {
    if (!direction) return;
    event.preventDefault();
    this.#options.onStep(direction);
  }
}

/** Events that a `Mover` has to be registered for. */
export const moverEvents =
  'pointerdown pointermove pointerup pointercancel keydown contextmenu click'.split(' ');

function arrowOf({ shiftKey, key }: KeyboardEvent): Direction | null {
  return shiftKey && key.startsWith('Arrow') ? (key.slice(5) as Direction) : null;
}

/** Translates the bubble by viewport pixels, converted by the zoom factor. */
function translateBubble(bubble: HTMLElement, x: number, y: number, zoom: number) {
  bubble.style.translate = `${x / zoom}px ${y / zoom}px`;
}
