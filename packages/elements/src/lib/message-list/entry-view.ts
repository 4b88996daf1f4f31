import type { AgentEntry, Entry } from '@inlay/client';
import { html, nothing } from 'lit';
import type { MessageAction } from '../answer-actions/message-actions.ts';
import type { CardRenderers } from '../card/custom-blocks.ts';
import type { EntryUiStates } from '../entry-ui-state.ts';
import type { LoadFile } from '../file/file.ts';
import { format } from '../i18n/format.ts';
import type { Strings } from '../i18n/strings.ts';
import { timeOf } from '../i18n/times.ts';
import { requestElement } from '../lazy-elements.ts';
import { agentMessageParts, answerActionsParts, userMessageParts } from '../theme/parts.ts';
import { entryTags } from './load-entry-elements.ts';

/** Options that all entries are rendered with. */
export interface EntryView {
  readonly entries: readonly Entry[];
  readonly strings: Strings;
  readonly agentName: string;
  readonly rateable: boolean;
  readonly repeatable: boolean;
  readonly quotable: boolean;
  readonly speakable: boolean;
  readonly editable: boolean;
  readonly locked: boolean;
  readonly imageOrigins: readonly string[];
  readonly messageActions: readonly MessageAction[];
  readonly loadFile: LoadFile | null;
  readonly resetsAt: number | null;
  readonly renderers: CardRenderers | null;
  readonly uiStates: EntryUiStates;
  /** Whether the agent is running and its messages can arrive. */
  readonly running: boolean;
}

/** Position and neighbours of an entry. */
interface RowState {
  /** Whether it is the last entry. */
  readonly last: boolean;
  /** Label of the date separator above it; empty for none. */
  readonly day: string;
  /** Whether it is the first unread entry. */
  readonly firstUnread: boolean;
  /** Whether it is an error that interrupted the agent message above it. */
  readonly interrupts: boolean;
  /** Position among the messages; 0 for entries that are not messages. */
  readonly position: number;
  /** Number of messages; -1 if it is unknown. */
  readonly count: number;
  /** The agent message above, if the entry is the last card below it. */
  readonly answer: AgentEntry | null;
  /** Returns the content of `answer`. */
  readonly content: () => Element | null;
}

const isRateable = ({ id, progress }: AgentEntry, { rateable }: EntryView) =>
  rateable && id !== null && progress !== 'failed';

/** Whether there is a message to send again: a conversation can start with the answer to the welcome card. */
const hasQuestion = ({ entries }: EntryView) => entries.some(({ kind }) => kind === 'user');

/** Renders the element of an entry. */
function viewOfEntry(entry: Entry, view: EntryView, { last, interrupts }: RowState) {
  const { strings, locked, uiStates, messageActions } = view;
  if (entry.kind !== 'user' && entry.kind !== 'agent') requestElement(entryTags[entry.kind]);
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
        .rateable=${isRateable(entry, view)}
        .repeatable=${view.repeatable && last && hasQuestion(view)}
        .quotable=${view.quotable}
        .speakable=${view.speakable}
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
        .renderers=${view.renderers}
        .imageOrigins=${view.imageOrigins}
      ></inlay-card>`;
    case 'notice':
      return html`<inlay-notice
        exportparts="base: notice__base"
        .entry=${entry}
        .strings=${strings}
        .last=${last && !locked}
        .repeatable=${hasQuestion(view)}
        .interrupts=${interrupts}
        .resetsAt=${view.resetsAt}
        .uiStates=${uiStates}
      ></inlay-notice>`;
  }
}

/** Renders the actions of an agent message below its cards. */
const viewOfActions = (answer: AgentEntry, view: EntryView, content: RowState['content']) =>
  html`<inlay-answer-actions
    exportparts=${answerActionsParts}
    .entry=${answer}
    .content=${content}
    .rateable=${isRateable(answer, view)}
    .quotable=${view.quotable}
    .speakable=${view.speakable}
    .messageActions=${view.messageActions}
    .uiStates=${view.uiStates}
    .strings=${view.strings}
  ></inlay-answer-actions>`;

function nameOf({ kind, at }: Entry, { strings, agentName }: EntryView): string {
  const name = kind === 'user' ? strings.youName : agentName || strings.agent;
  return format(strings.messageBy, { name, time: timeOf(strings, at, Date.now()) });
}

/** Renders an entry with the separators above it. The element of a message is the last child of the row. */
export function viewOfRow(entry: Entry, view: EntryView, state: RowState) {
  const { last, day, firstUnread, position, count, answer } = state;
  const divider = html`<div class="fresh" part="unread-separator"><span>${view.strings.newHere}</span></div>`;
  return html`<div
    class="row ${entry.kind} ${last ? 'last' : ''}"
    data-key=${entry.key}
    role=${position ? 'article' : nothing}
    tabindex=${position ? 0 : nothing}
    aria-label=${position ? nameOf(entry, view) : nothing}
    aria-posinset=${position || nothing}
    aria-setsize=${position ? count : nothing}
    >${day ? html`<div class="day" part="date-separator">${day}</div>` : nothing}${
      firstUnread ? divider : nothing
    }${viewOfEntry(entry, view, state)}${
      answer ? viewOfActions(answer, view, state.content) : nothing
    }</div
  >`;
}

/** Renders the skeleton of earlier entries that are loading. */
export const viewOfSkeleton = (label: string) =>
  html`<div class="skeleton">
    <span class="visually-hidden">${label}</span>
    <i></i><i></i><i></i><i></i>
  </div>`;

/**
 * Renders the activity indicator, shown while the agent is running and no entry shows progress. Screen
 * reader users hear announcements instead.
 */
export const viewOfActivityIndicator = (label: string) =>
  html`<div class="pulse" aria-hidden="true"><i></i><i></i><i></i><span>${label}</span></div>`;

/** Whether an entry itself shows that the agent is running. */
export function showsProgress(entry: Entry): boolean {
  if (entry.kind === 'agent') return entry.progress === 'streaming' && entry.text !== '';
  if (entry.kind === 'thinking') return entry.progress === 'streaming';
  return entry.kind === 'tool' && entry.progress !== 'done' && entry.progress !== 'failed';
}
