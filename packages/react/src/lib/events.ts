import type { InlayEventMap } from '@inlay/elements';
import type { EventName } from '@lit/react';

type Pascal<Name extends string> = Name extends `${infer Word}-${infer Rest}`
  ? `${Capitalize<Word>}${Pascal<Rest>}`
  : Capitalize<Name>;

/** `inlay-auth-change` is `onAuthChange` in React. */
export type HandlerName<Name extends string> = Name extends `inlay-${infer Rest}`
  ? `on${Pascal<Rest>}`
  : never;

/** Handler names and the events that they hear. */
export type InlayReactEvents = {
  [Name in keyof InlayEventMap as HandlerName<Name>]: EventName<InlayEventMap[Name]>;
};

/** A new event of the elements breaks the build here until it has a line. */
const table: { [Name in keyof InlayEventMap as HandlerName<Name>]: Name } = {
  onReady: 'inlay-ready',
  onAuthChange: 'inlay-auth-change',
  onMessageRequest: 'inlay-message-request',
  onMessageSent: 'inlay-message-sent',
  onAnswer: 'inlay-answer',
  onError: 'inlay-error',
  onDiagnostic: 'inlay-diagnostic',
  onNewConversation: 'inlay-new-conversation',
  onToggle: 'inlay-toggle',
};

/** The table with the type of each event, as `createComponent` wants it. */
export const events = table as InlayReactEvents;
