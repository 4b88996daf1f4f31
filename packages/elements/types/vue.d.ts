// Written by `npm run manifest` from the elements. Change those.

/** `<inlay-chat>` in the templates of Vue: `import type {} from '@inlay/elements/vue'`. */
import type { InlayEventMap } from '@inlay/elements';
import type { EmitFn, HTMLAttributes, PublicProps } from 'vue';
import type { InlayChatEvents, InlayChatOptions, InlayLauncherEvents, InlayLauncherOptions } from './tags.js';

type Tag<Options, Events extends keyof InlayEventMap> = new () => {
  $props: Options & Omit<HTMLAttributes, keyof Options> & PublicProps;
  $emit: EmitFn<{ [Name in Events]: (event: InlayEventMap[Name]) => void }>;
};

declare module 'vue' {
  interface GlobalComponents {
    'inlay-chat': Tag<InlayChatOptions, InlayChatEvents>;
    'inlay-launcher': Tag<InlayLauncherOptions, InlayLauncherEvents>;
  }
}
