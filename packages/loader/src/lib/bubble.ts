import {
  badgeText,
  chatPath,
  type Direction,
  isOn,
  Mover,
  moverEvents,
  type Place,
  placeOf,
  schemeFor,
  setPlace,
  type Visit,
} from '@inlay/elements/bubble';
import { makeBox, makeButton, makeIcon, whenBody } from './dom.ts';
import type { LoaderOptions } from './options.ts';
import { makeTeaser, type Teaser } from './teaser.ts';

/** A placeholder for `<inlay-launcher>` until the chat is loaded. It looks and moves like the launcher. */
export interface Bubble {
  /** Position to which the user has moved the bubble; null if the user has not moved it. */
  readonly place: Place | null;
  readonly teaser: Teaser;
  readonly host: HTMLElement;
  /** Removes the bubble from the page. Returns whether it had focus. */
  remove(): boolean;
  /** Shows that the chat is loading, or that it could not be loaded. */
  show(state: 'loading' | 'failed'): void;
}

export interface BubbleListeners {
  /** Called when the pointer or the focus first reaches the bubble, because a click is then likely. */
  onIntent(): void;
  /** Called when the user clicks the bubble or the teaser. */
  onPress(): void;
  /** Called when the user moves the bubble with the keyboard. */
  onStep(direction: Direction): void;
  /** Called with the change when state that survives page loads has changed. */
  onChange(change: Visit): void;
}

/** Adds the bubble to the page, with the state that the previous page has stored. */
export function drawBubble(
  options: LoaderOptions,
  visit: Visit,
  listeners: BubbleListeners,
  styles: string,
): Bubble {
  const { onIntent, onPress, onStep, onChange } = listeners;
  // The tag is not a defined custom element. It lets pages style the parts of the placeholder:
  // `:is(inlay-launcher, inlay-bubble)::part(bubble)`.
  const host = document.createElement('inlay-bubble');
  const root = host.attachShadow({ mode: 'open' });
  // A modal of the page would close, or take the focus back.
  for (const type of ['pointerdown', 'mousedown', 'focusin']) {
    host.addEventListener(type, (event) => event.stopPropagation());
  }
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  root.adoptedStyleSheets = [sheet];
  const layer = makeBox('layer');
  const corner = makeBox('corner');
  for (const [name, value] of [
    ['color-accent', options.accent],
    ['launcher-offset-inline', options.offsetInline && `${options.offsetInline}px`],
    ['launcher-offset-block', options.offsetBlock && `${options.offsetBlock}px`],
  ]) {
    if (value) layer.style.setProperty(`--inlay-${name}`, value);
  }
  let place = visit.place ?? null;
  const currentPlace = () => place ?? placeOf(options.placement ?? '');
  setPlace(layer, currentPlace());

  const label = options.label ?? 'Open chat';
  const button = makeButton('bubble', visit.unread?.label ?? label, makeIcon(chatPath));
  button.ariaHasPopup = 'dialog';
  button.ariaExpanded = 'false';
  if (visit.unread) {
    const badge = makeBox('badge');
    badge.part = 'badge';
    badge.append(badgeText(visit.unread.count));
    button.append(badge);
  }
  const teaser = makeTeaser(options.dismiss ?? 'Dismiss', onPress, () => {
    teaser.show('');
    button.focus();
  });
  const isFixed = isOn(options.noDrag);
  button.classList.toggle('movable', !isFixed);
  const mover = new Mover({
    place: () => (isFixed ? null : currentPlace()),
    frame: () => layer,
    onMove: (next) => {
      teaser.show('');
      if (!next) return;
      place = next;
      onChange({ place });
    },
    onStep,
    onPress,
  });
  for (const type of moverEvents) button.addEventListener(type, mover);
  for (const type of ['pointerenter', 'focus'])
    button.addEventListener(type, onIntent, { once: true });
  const showTeaser = () => {
    teaser.show(options.teaser ?? '');
    onChange({ teased: true });
  };
  const isNew = !visit.teased && visit.open === undefined;
  const timer =
    isNew && options.teaser && !isOn(options.noBubble)
      ? setTimeout(showTeaser, Number(options.teaserDelay ?? 4) * 1000)
      : undefined;
  corner.append(teaser.box, button);
  layer.append(corner);
  root.append(layer);

  if (!isOn(options.noBubble)) {
    whenBody(() => {
      document.body.append(host);
      layer.style.colorScheme = schemeFor(host, options.colorScheme);
    });
  }

  return {
    get place() {
      return place;
    },
    teaser,
    host,
    remove: () => {
      const hadFocus = root.activeElement !== null;
      host.remove();
      return hadFocus;
    },
    show: (state) => {
      const isFailed = state === 'failed';
      clearTimeout(timer);
      // `ariaBusy` is `false` only after a failure, whose text a retry hides. A teaser stays visible.
      if (isFailed || button.ariaBusy === 'false')
        teaser.show(isFailed ? (options.failed ?? 'Chat not loaded. Try again?') : '');
      button.ariaBusy = String(!isFailed);
    },
  };
}
