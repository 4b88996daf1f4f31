import { toJson } from '@inlay/protocol/to-json';
import { addActivityListener } from '../activity/activity.ts';
import type { InlayClient } from '../inlay-client.ts';
import { createPanel } from './panel.ts';
import { type InspectorExport, Timeline, type TimelineEntry } from './timeline.ts';

/** Options of `inspect`. */
export interface InspectorOptions {
  /**
   * Element that the panel is appended to.
   *
   * @default a panel at the bottom of the window
   */
  readonly container?: Element;
  /**
   * Number of entries that are kept, 10 to 5000. The oldest entries are removed first.
   *
   * @default 500
   */
  readonly limit?: number;
}

/** An open inspector. */
export interface Inspector {
  /** The panel. */
  readonly element: HTMLElement;
  /** The entries of the timeline, oldest first. */
  readonly entries: readonly TimelineEntry[];
  /** Whether new activity is ignored. */
  paused: boolean;
  /** Returns the timeline as data for a bug report. */
  export(): InspectorExport;
  /** Removes all entries. */
  clear(): void;
  /** Removes the panel and stops recording. A second call does nothing. */
  close(): void;
}

/**
 * Opens an inspector, which shows tokens, streams and requests on a timeline. It records only what
 * happens after the call, so open it before the chat to see the first token. The timeline contains no
 * token, code, secret or message text.
 *
 * @param client The client to show.
 * @default every client of the page, also those of `inlay-chat` and of the script tag
 */
export function inspect(
  client: InlayClient | null = null,
  { container, limit = 500 }: InspectorOptions = {},
): Inspector {
  const timeline = new Timeline(Math.min(5000, Math.max(10, Math.floor(limit) || 500)));
  const numbers = new WeakMap<InlayClient, number>();
  let clients = 0;
  let paused = false;

  const panel = createPanel(timeline, {
    isDocked: container === undefined,
    isPaused: () => paused,
    onPause: () => {
      inspector.paused = !paused;
    },
    onClear: () => inspector.clear(),
    onClose: () => inspector.close(),
    text: () => toJson(inspector.export(), undefined, 2) ?? '',
  });
  const unsubscribe = addActivityListener((activity, source) => {
    if (paused || (client && client !== source)) return;
    let number = numbers.get(source);
    if (number === undefined) {
      clients += 1;
      number = clients;
      numbers.set(source, number);
    }
    timeline.add(activity, number, Date.now());
    panel.update();
  });
  const inspector: Inspector = {
    element: panel.element,
    get entries() {
      return timeline.entries;
    },
    get paused() {
      return paused;
    },
    set paused(value) {
      paused = value;
      panel.update();
    },
    export: () => timeline.export(location.origin, Date.now()),
    clear() {
      timeline.clear();
      panel.update();
    },
    close() {
      unsubscribe();
      panel.close();
    },
  };
  (container ?? document.body).append(panel.element);
  return inspector;
}
