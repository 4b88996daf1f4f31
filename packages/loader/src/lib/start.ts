import type { InlayLauncher } from '@inlay/elements';
import {
  changeVisit,
  isOn,
  type keepClear,
  readVisit,
  shouldReopen,
  visitName,
} from '@inlay/elements/bubble';
import { drawBubble } from './bubble.ts';
import { whenBody } from './dom.ts';
import { type LoaderOptions, readOptions } from './options.ts';

/** The value of `window.inlay` after `inlay.js` has run. */
export interface InlayGlobal {
  /** Opens the panel. Loads the chat first if needed. */
  open(): Promise<void>;
  close(): Promise<void>;
  toggle(): Promise<void>;
  /** Changes options. Before the chat is loaded, changes do not affect the visible bubble. */
  configure(options: LoaderOptions): void;
  /** Resolves with the launcher element, for its events and methods. Loads it first if needed. */
  launcher(): Promise<InlayLauncher>;
}

/** Key of the elements of the script tags that have run, by their HTML. */
const running = Symbol.for('inlay.tags');

declare global {
  interface Window {
    /** Libraries that replace the body run its scripts again. */
    [running]?: Record<string, () => Element>;
    /** The page may set options here before `inlay.js` runs, which replaces them by the controls. */
    inlay?: InlayGlobal | LoaderOptions;
  }
}

/** The lazy-loaded module with the chat. */
export type LaunchModule = typeof import('./launch.ts');

/** The module that keeps the bubble clear of the page's elements. */
export interface ClearanceModule {
  readonly keepClear: typeof keepClear;
}

/**
 * Draws the bubble of a script tag and dispatches `inlay-load` on the window.
 *
 * @param load - Loads the chat from the folder of a URL.
 * @param styles - The style sheet of the bubble (`styles.ts`).
 * @param loadClearance - Loads the module from the folder of a URL. It is optional for the bubble.
 */
export function start(
  script: HTMLScriptElement,
  load: (folder: string) => Promise<LaunchModule>,
  styles: string,
  loadClearance: (folder: string) => Promise<ClearanceModule>,
): void {
  const { inlay } = window;
  // A second script tag has its own bubble, but `window.inlay` belongs to the first.
  const pageOptions = inlay && 'launcher' in inlay ? null : { ...inlay };
  let options: LoaderOptions = { ...readOptions(script), ...pageOptions };
  const { baseUrl } = options;
  if (!baseUrl) {
    console.error('inlay: a script without src needs data-base-url');
    return;
  }
  const tag = script.outerHTML;
  window[running] ??= {};
  const elements = window[running];
  if (elements[tag]?.().isConnected) return;
  let loaded: InlayLauncher | null = null;
  let loading: Promise<InlayLauncher> | null = null;
  let module: Promise<LaunchModule> | null = null;

  const folder = script.src || `${baseUrl}/`;
  const fetchModule = () => {
    module ??= load(folder)
      .catch((error: unknown) => {
        // A copy of the script, for example in the cache of an optimizer, may have no chunks beside it.
        if (script.src.startsWith(baseUrl)) throw error;
        return load(`${baseUrl}/`);
      })
      .catch((error: unknown) => {
        // The next click retries.
        module = null;
        bubble.show('failed');
        console.error(error);
        throw error;
      });
    return module;
  };
  const launchChat = async () => {
    bubble.show('loading');
    const { launch } = await fetchModule();
    await new Promise<void>(whenBody);
    loaded = launch(options, script.dataset, bubble);
    await loaded.updateComplete;
    if (bubble.remove()) loaded.focus({ preventScroll: true });
    return loaded;
  };
  const launcher = () => {
    loading ??= launchChat().catch((error: unknown) => {
      loading = null;
      bubble.show('failed');
      throw error;
    });
    return loading;
  };
  const controls: InlayGlobal = {
    open: async () => (await launcher()).show(),
    close: async () => loaded?.hide(),
    toggle: async () => (await launcher()).toggle(),
    configure: (changes) => {
      options = { ...options, ...changes };
      const target = loaded;
      if (target) void fetchModule().then(({ configure }) => configure(target, changes));
    },
    launcher,
  };

  const name = visitName(options);
  const visit = readVisit(name);
  const bubble = drawBubble(
    options,
    visit,
    {
      onIntent: () => {
        // The bubble shows the failure.
        fetchModule().catch(() => {});
      },
      onPress: () => {
        controls.open().catch(() => {});
      },
      onStep: (direction) => {
        launcher().then(
          (element) => element.moveBubble(direction),
          () => {},
        );
      },
      onChange: (change) => changeVisit(name, change),
    },
    styles,
  );
  // If the panel was open or an answer is pending on the previous page, the launcher restores that state.
  if (shouldReopen(name, visit) || visit.waiting || isOn(options.open)) launcher().catch(() => {});
  const element = () => loaded ?? bubble.host;
  elements[tag] = element;
  keepInBody(element);
  if (pageOptions) window.inlay = controls;
  window.dispatchEvent(new CustomEvent('inlay-load', { detail: controls }));
  loadClearance(folder).then(
    ({ keepClear }) => keepClear(bubble.host, () => options.avoid),
    () => {},
  );
}

/**
 * Moves an element to the new content of the page if a library replaces the body, or all children of the
 * body. An element that the page removes by itself stays removed.
 */
function keepInBody(element: () => Element): void {
  const observer = new MutationObserver((records) => {
    const added = records.flatMap(({ addedNodes }) => [...addedNodes]);
    const removed = records.flatMap(({ removedNodes }) => [...removedNodes]);
    const { body } = document;
    const target = element();
    const isReplaced =
      added.includes(body) ||
      (added[0] && [...body.children].every((child) => added.includes(child)));
    // A replaced body still contains the element.
    if (isReplaced && !target.isConnected && (target.parentNode || removed.includes(target))) {
      body.append(target);
    }
    observe();
  });
  const observe = () => {
    for (const parent of [document.documentElement, document.body]) {
      observer.observe(parent, { childList: true });
    }
  };
  whenBody(observe);
}
