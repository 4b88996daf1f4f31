import { InlayLauncher as InlayLauncherElement } from '@inlay/elements';
import '@inlay/elements/define';
import { createComponent } from '@lit/react';
import * as React from 'react';
import { launcherEvents } from './events.ts';

/** `<inlay-launcher>` as a React component: a button that opens a panel with the chat. */
export const InlayLauncher = createComponent({
  react: React,
  tagName: 'inlay-launcher',
  elementClass: InlayLauncherElement,
  displayName: 'InlayLauncher',
  events: launcherEvents,
});
