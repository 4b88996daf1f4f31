// Written by `npm run manifest` from the elements. Change those.

/** `<inlay-chat>` in Svelte: `import type {} from '@inlay/elements/svelte'`. */
import type { InlayChat, InlayLauncher } from '@inlay/elements';
import type { HTMLAttributes } from 'svelte/elements';
import type { Handlers, InlayChatEvents, InlayChatOptions, InlayLauncherEvents, InlayLauncherOptions } from './tags.js';

type Tag<Element extends HTMLElement, Options> = Options &
  Omit<HTMLAttributes<Element>, keyof Options>;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'inlay-chat': Tag<InlayChat, InlayChatOptions & Handlers<'on' | 'on:', InlayChatEvents>>;
    'inlay-launcher': Tag<InlayLauncher, InlayLauncherOptions & Handlers<'on' | 'on:', InlayLauncherEvents>>;
  }
}
