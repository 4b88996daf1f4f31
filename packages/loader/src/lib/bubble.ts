import {
  type Direction,
  Mover,
  moverEvents,
  type Place,
  placeOf,
  schemeFor,
  setPlace,
  type Visit,
} from '@inlay/elements/bubble';
import { makeBox, makeButton, makeIcon, whenBody } from './dom.ts';
import { isOn, type LoaderOptions } from './options.ts';
import { styles } from './styles.ts';
import { makeTeaser, type Teaser } from './teaser.ts';

/** The stand-in for `<inlay-launcher>` until that is loaded: it looks and moves the same. */
export interface Bubble {
  /** Where the person has put it; null where they have not. */
  readonly place: Place | null;
  readonly teaser: Teaser;
  /** Takes it away. True when it had the focus. */
  remove(): boolean;
  /** Shows that the chat is on its way, or could not be loaded. */
  show(state: 'ready' | 'loading' | 'failed'): void;
}

/** What the bubble tells. */
export interface BubbleListeners {
  /** Somebody comes near. */
  onIntent(): void;
  /** Somebody presses it, or the teaser. */
  onPress(): void;
  /** Somebody moves it without dragging it. */
  onWish(direction: Direction): void;
  /** Something is to be remembered for the next page. */
  onChange(change: Visit): void;
}

const path =
  'M12 4.5c4.7 0 8.5 3.1 8.5 7s-3.8 7-8.5 7c-1 0-1.9-.1-2.8-.4-1 .7-2.7 1.4-4.7 1.4.9-.9 1.4-1.9 1.5-3-1.6-1.2-2.5-3-2.5-5 0-3.9 3.8-7 8.5-7z';

/** Draws the bubble, as it was left on the page before. */
export function drawBubble(
  options: LoaderOptions,
  visit: Visit,
  listeners: BubbleListeners,
): Bubble {
  const { onIntent, onPress, onWish, onChange } = listeners;
  // A tag that is never defined: pages style the parts of both bubbles by tag.
  const host = document.createElement('inlay-bubble');
  const root = host.attachShadow({ mode: 'open' });
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
  const button = makeButton('bubble', visit.unread?.label ?? label, makeIcon(path));
  button.ariaHasPopup = 'dialog';
  button.ariaExpanded = 'false';
  if (visit.unread) {
    const badge = makeBox('badge');
    badge.part = 'badge';
    badge.append(visit.unread.count > 9 ? '9+' : String(visit.unread.count));
    button.append(badge);
  }
  const teaser = makeTeaser(options.dismiss ?? 'Dismiss', onPress, () => {
    teaser.hide();
    button.focus();
  });
  const isStill = isOn(options.noDrag);
  button.classList.toggle('movable', !isStill);
  const mover = new Mover({
    place: () => (isStill ? null : currentPlace()),
    frame: () => layer,
    onMove: (next) => {
      teaser.hide();
      if (!next) return;
      place = next;
      onChange({ place });
    },
    onWish,
    onPress,
  });
  for (const type of moverEvents) button.addEventListener(type, mover);
  button.addEventListener('pointerenter', onIntent, { once: true });
  button.addEventListener('focus', onIntent, { once: true });
  const beTeasing = () => {
    teaser.show(options.teaser ?? '');
    onChange({ teased: true });
  };
  const isHidden = isOn(options.noBubble);
  const isNew = !visit.teased && visit.open === undefined;
  const timer =
    options.teaser && isNew && !isHidden
      ? setTimeout(beTeasing, Number(options.teaserDelay ?? 4) * 1000)
      : undefined;
  corner.append(teaser.box, button);
  layer.append(corner);
  root.append(layer);

  if (!isHidden) {
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
    remove: () => {
      const focused = root.activeElement !== null;
      clearTimeout(timer);
      host.remove();
      return focused;
    },
    show: (state) => {
      button.ariaBusy = String(state === 'loading');
      if (state === 'failed') teaser.show(options.failed ?? 'Chat not loaded. Try again?');
      else teaser.hide();
    },
  };
}
