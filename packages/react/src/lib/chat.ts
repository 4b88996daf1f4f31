import { InlayChat as InlayChatElement } from '@inlay/elements';
import '@inlay/elements/define';
import { createComponent } from '@lit/react';
import * as React from 'react';
import { chatEvents } from './events.ts';

/**
 * `<inlay-chat>` as a React component: its properties are props, its events are `on…` props, and
 * `ref` gives the element with its methods.
 *
 * A new `getToken` function on every render is fine: the latest one is used, and nothing restarts.
 */
export const InlayChat = createComponent({
  react: React,
  tagName: 'inlay-chat',
  elementClass: InlayChatElement,
  displayName: 'InlayChat',
  events: chatEvents,
});
