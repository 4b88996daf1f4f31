import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { isScrollable } from './is-scrollable.ts';

/** Listeners for presses inside chats, because such presses do not reach the document. */
export const pressListeners = new Set<(press: Event) => void>();

/**
 * Keeps events from the page that its host handles, as if the host were a frame. Not affected are listeners
 * on the host itself, and events of the page's content in the host's slots. Capturing listeners of the page
 * run earlier and have to check `event.composedPath()[0]`.
 *
 * - Presses and focus: a modal of the page would close, or take the focus back.
 * - The wheel and touches that scroll the host's content: a library for smooth scrolling would scroll the
 *   page instead.
 * - Keys typed into a text field: the page would run its own shortcuts for `/`, `?` or an arrow key, because
 *   outside of the shadow tree the event's target is the host, which is not a text field. Combinations with
 *   Ctrl, Alt or Meta, Escape, Tab and the function keys reach the page.
 */
export class EventKeeper implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host;
    host.addController(this);
    for (const [type, keeps] of Object.entries(keptEvents)) {
      const handleEvent = (event: Event) => {
        if (event.target !== host || !keeps(event, host)) return;
        if (type === 'pointerdown') for (const listener of pressListeners) listener(event);
        event.stopPropagation();
      };
      host.addEventListener(type, handleEvent, { passive: true });
    }
  }

  hostConnected() {
    for (const type of leavingEvents) window.addEventListener(type, this.#hideFocus, true);
  }

  hostDisconnected() {
    for (const type of leavingEvents) window.removeEventListener(type, this.#hideFocus, true);
  }

  /**
   * Hides from the page that focus moves from one of its elements to the host, as if the host were a frame.
   * Otherwise the focus trap of a modal takes the focus back when focus leaves the modal for another element.
   */
  readonly #hideFocus = (event: FocusEvent) => {
    if (event.relatedTarget === this.#host) {
      Object.defineProperty(event, 'relatedTarget', { value: null });
    }
  };
}

const leavingEvents = ['focusout', 'blur'] as const;

/** Kept events, with the conditions under which they are kept. */
const keptEvents: Record<string, (event: Event, host: EventTarget) => boolean> = {
  pointerdown: always,
  mousedown: always,
  focusin: always,
  focusout: always,
  wheel: isScrolling,
  touchstart: isScrolling,
  touchmove: isScrolling,
  keydown: isTyping,
  keypress: isTyping,
  keyup: isTyping,
};

function always() {
  return true;
}

function isScrolling(event: Event, host: EventTarget): boolean {
  const path = event.composedPath();
  return path.slice(0, path.indexOf(host)).some(isScrollable);
}

/** Keys that the page receives even while a text field has focus. */
const pageKeys = /^(?:Escape|Tab|F\d+)$/;

function isTyping(event: Event): boolean {
  const [field] = event.composedPath();
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return false;
  return !pageKeys.test((event as KeyboardEvent).key) && !isShortcut(event as KeyboardEvent);
}

/**
 * Whether a key is combined with Ctrl, Alt or Meta. Characters that are typed with Option (macOS) or
 * AltGr (Ctrl+Alt on Windows) are not combinations.
 */
function isShortcut({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  const typesCharacter = key.length === 1 && !/[a-z\d]/i.test(key);
  return metaKey || (altKey ? !typesCharacter : ctrlKey);
}
