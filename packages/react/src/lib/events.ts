import type { InlayEventMap } from '@inlay/elements';
import type { EventName } from '@lit/react';
import * as tables from './event-table.ts';

/** Handler names and the events that they hear, as `createComponent` wants them. */
export type ReactEvents<Table extends Record<string, keyof InlayEventMap>> = {
  [Handler in keyof Table]: EventName<InlayEventMap[Table[Handler]]>;
};

export const chatEvents = tables.chatEvents as ReactEvents<typeof tables.chatEvents>;

export const launcherEvents = tables.launcherEvents as ReactEvents<typeof tables.launcherEvents>;
