import type { InlayLauncher } from '@inlay/elements';
import { changeVisit, opensAgain, readVisit, visitName } from '@inlay/elements/bubble';
import { drawBubble } from './bubble.ts';
import { whenBody } from './dom.ts';
import { isOn, type LoaderOptions, readOptions } from './options.ts';

/** `window.inlay`, once `inlay.js` runs. Before that, it may hold the options. */
export interface InlayGlobal {
  /** Opens the panel, loading the chat first where it is not there. */
  open(): Promise<void>;
  close(): Promise<void>;
  toggle(): Promise<void>;
  /** Changes options at any time, also before the chat is loaded. */
  configure(options: LoaderOptions): void;
  /** The launcher itself, for its events and methods. Loads it where it is not there. */
  launcher(): Promise<InlayLauncher>;
}

declare global {
  interface Window {
    /** Options before `inlay.js` has run, the controls after. */
    inlay?: InlayGlobal | LoaderOptions;
  }
}

/** What is loaded when somebody wants the chat. */
type LaunchModule = typeof import('./launch.ts');

/** Draws the bubble of one script tag, and tells the page with an `inlay-load` event. */
export function start(script: HTMLScriptElement, load: () => Promise<LaunchModule>): void {
  const { inlay } = window;
  // A second script tag has its own bubble; the name on `window` stays with the first.
  const before = inlay && 'launcher' in inlay ? null : { ...inlay };
  let options: LoaderOptions = { ...readOptions(script), ...before };
  let loaded: InlayLauncher | null = null;
  let loading: Promise<InlayLauncher> | null = null;
  let module: Promise<LaunchModule> | null = null;

  const fetchModule = () => {
    module ??= load().catch((error: unknown) => {
      // The next press tries again.
      module = null;
      throw error;
    });
    return module;
  };
  const preload = () => void fetchModule().catch(() => bubble.show('failed'));
  const launcher = () => {
    loading ??= (async () => {
      // A teaser that is being read stays until the launcher shows it on.
      if (!bubble.teaser.text) bubble.show('loading');
      try {
        const { launch } = await fetchModule();
        await new Promise<void>(whenBody);
        const { place, teaser } = bubble;
        loaded = launch(options, script.dataset);
        loaded.place = place;
        loaded.showTeaser(teaser.text);
        await loaded.updateComplete;
        if (bubble.remove()) loaded.focus({ preventScroll: true });
        return loaded;
      } catch (error) {
        loading = null;
        bubble.show('failed');
        throw error;
      }
    })();
    return loading;
  };
  const controls: InlayGlobal = {
    open: async () => (await launcher()).open(),
    close: async () => loaded?.close(),
    toggle: async () => (await launcher()).toggle(),
    configure: (more) => {
      options = { ...options, ...more };
      const target = loaded;
      if (target) void fetchModule().then(({ configure }) => configure(target, more));
    },
    launcher,
  };

  const name = visitName(options);
  const visit = readVisit(name);
  const bubble = drawBubble(options, visit, {
    onIntent: preload,
    onPress: () => {
      // The bubble says itself what went wrong.
      controls.open().catch(() => undefined);
    },
    onWish: (direction) => {
      launcher().then(
        (it) => it.moveBubble(direction),
        () => {},
      );
    },
    onChange: (change) => changeVisit(name, change),
  });
  // The launcher goes on by itself where the page before has left off.
  if (opensAgain(name, visit) || visit.waiting || isOn(options.open)) launcher().catch(() => {});
  if (before) window.inlay = controls;
  window.dispatchEvent(new CustomEvent('inlay-load', { detail: controls }));
}
