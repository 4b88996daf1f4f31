import { InlayChat as InlayChatElement } from '@inlay/elements';
import '@inlay/elements/define-chat';
import { createComponent } from '@lit/react';
import * as React from 'react';
import { chatEvents } from './events.ts';

/**
 * `<inlay-chat>` as a React component. Its properties are props, its events are `on…` props, and
 * `ref` is the element with its methods.
 *
 * `getToken` may be a new function on every render: the element uses the latest one and does not
 * restart the conversation.
 */
export const InlayChat = createComponent({
  react: React,
  tagName: 'inlay-chat',
  elementClass: InlayChatElement,
  displayName: 'InlayChat',
  events: chatEvents,
});
