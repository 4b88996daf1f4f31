import type { Entry } from '@inlay/client';
import { html } from 'lit';
import type { MessageAction } from '../answer-actions/message-actions.ts';
import type { EntryUiStates } from '../entry-ui-state.ts';
import type { LoadFile } from '../file/file.ts';
import type { Strings } from '../i18n/strings.ts';
import { requestElement } from '../lazy-elements.ts';
import { agentMessageParts, userMessageParts } from '../theme/parts.ts';

/** Options that all entries are rendered with. */
export interface EntryView {
  readonly strings: Strings;
  readonly agentName: string;
  readonly rateable: boolean;
  readonly repeatable: boolean;
  readonly quotable: boolean;
  readonly editable: boolean;
  readonly locked: boolean;
  readonly imageOrigins: readonly string[];
  readonly messageActions: readonly MessageAction[];
  readonly loadFile: LoadFile | null;
  readonly resetsAt: number | null;
  readonly uiStates: EntryUiStates;
  /** Whether the agent is running and its messages can arrive. */
  readonly running: boolean;
}

/** Position and neighbours of an entry. */
export interface RowState {
  /** Whether it is the last entry. */
  readonly last: boolean;
  /** Label of the date separator above it; empty for none. */
  readonly day: string;
  /** Whether it is the first unread entry. */
  readonly firstUnread: boolean;
  /** Whether it is an error that interrupted the agent message above it. */
  readonly interrupts: boolean;
  /** Position among the messages; null for entries that are not messages. */
  readonly place: { readonly position: number; readonly count: number } | null;
}

/** All options as a list, to detect whether a row has to render again. */
export const optionValues = (view: EntryView): unknown[] => [
  view.strings,
  view.agentName,
  view.rateable,
  view.repeatable,
  view.quotable,
  view.editable,
  view.locked,
  view.imageOrigins,
  view.messageActions,
  view.loadFile,
  view.resetsAt,
  view.uiStates,
];

/** Lazy-loaded elements of entries. */
const lazy = {
  thinking: 'inlay-thinking',
  tool: 'inlay-tool-call',
  card: 'inlay-card',
  notice: 'inlay-notice',
} as const;

/** Renders the element of an entry. */
export function viewOfEntry(entry: Entry, view: EntryView, { last, interrupts }: RowState) {
  const { strings, locked, uiStates, messageActions } = view;
  if (entry.kind !== 'user' && entry.kind !== 'agent') requestElement(lazy[entry.kind]);
  switch (entry.kind) {
    case 'user':
      return html`<inlay-user-message
        exportparts=${userMessageParts}
        .entry=${entry}
        .strings=${strings}
        .editable=${view.editable}
        .locked=${locked}
        .loadFile=${view.loadFile}
        .messageActions=${messageActions}
        .uiStates=${uiStates}
      ></inlay-user-message>`;
    case 'agent':
      return html`<inlay-agent-message
        exportparts=${agentMessageParts}
        .entry=${entry}
        .strings=${strings}
        .agentName=${view.agentName}
        .rateable=${view.rateable && entry.id !== null && entry.progress !== 'failed'}
        .repeatable=${view.repeatable && last}
        .quotable=${view.quotable}
        .imageOrigins=${view.imageOrigins}
        .messageActions=${messageActions}
        .uiStates=${uiStates}
      ></inlay-agent-message>`;
    case 'thinking':
      return html`<inlay-thinking
        exportparts="summary: thinking__summary"
        .entry=${entry}
        .running=${view.running}
        .strings=${strings}
        .uiStates=${uiStates}
      ></inlay-thinking>`;
    case 'tool':
      return html`<inlay-tool-call
        exportparts="base: tool-call__base"
        .entry=${entry}
        .strings=${strings}
        .locked=${locked}
        .uiStates=${uiStates}
      ></inlay-tool-call>`;
    case 'card':
      return html`<inlay-card
        exportparts="base: card__base"
        .entry=${entry}
        .strings=${strings}
        .locked=${locked}
        .uiStates=${uiStates}
        .imageOrigins=${view.imageOrigins}
      ></inlay-card>`;
    case 'notice':
      return html`<inlay-notice
        exportparts="base: notice__base"
        .entry=${entry}
        .strings=${strings}
        .last=${last && !locked}
        .interrupts=${interrupts}
        .resetsAt=${view.resetsAt}
        .uiStates=${uiStates}
      ></inlay-notice>`;
  }
}

/** Whether an entry itself shows that the agent is running. */
export function showsProgress(entry: Entry): boolean {
  if (entry.kind === 'agent') return entry.progress === 'streaming' && entry.text !== '';
  if (entry.kind === 'thinking') return entry.progress === 'streaming';
  return entry.kind === 'tool' && entry.progress !== 'done' && entry.progress !== 'failed';
}
