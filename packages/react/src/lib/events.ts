import type { InlayEventMap } from '@inlay/elements';
import type { EventName } from '@lit/react';
import * as tables from './event-table.ts';

/** Event names by handler prop, in the type that `createComponent` expects. */
export type ReactEvents<Table extends Record<string, keyof InlayEventMap>> = {
  [Handler in keyof Table]: EventName<InlayEventMap[Table[Handler]]>;
};

export const chatEvents = tables.chatEvents as ReactEvents<typeof tables.chatEvents>;

export const launcherEvents = tables.launcherEvents as ReactEvents<typeof tables.launcherEvents>;
