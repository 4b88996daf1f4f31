// Written by `npm run manifest` from the elements. Change those.

/** `<inlay-chat>` in the TSX of React 19: `import type {} from '@inlay/elements/jsx'`. */
import type { InlayChat, InlayLauncher } from '@inlay/elements';
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { Handlers, InlayChatEvents, InlayChatOptions, InlayLauncherEvents, InlayLauncherOptions } from './tags.js';

type Tag<Element extends HTMLElement, Options> = Options &
  Omit<DetailedHTMLProps<HTMLAttributes<Element>, Element>, keyof Options>;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'inlay-chat': Tag<InlayChat, InlayChatOptions & Handlers<'on', InlayChatEvents>>;
      'inlay-launcher': Tag<InlayLauncher, InlayLauncherOptions & Handlers<'on', InlayLauncherEvents>>;
    }
  }
}
