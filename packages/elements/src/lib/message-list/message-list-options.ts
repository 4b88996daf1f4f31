import type { Entry, PageStoreKind } from '@inlay/client';
import { LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import type { MessageAction } from '../answer-actions/message-actions.ts';
import type { CardRenderers } from '../card/custom-blocks.ts';
import type { EntryUiStates } from '../entry-ui-state.ts';
import type { LoadFile } from '../file/file.ts';
import { english } from '../i18n/languages/en.ts';
import type { Strings } from '../i18n/strings.ts';
import type { EntryView } from './entry-view.ts';
import type { FollowMode } from './follow-controller.ts';

const none: readonly never[] = [];

/** Properties of the message list. */
export class MessageListOptions extends LitElement implements EntryView {
  /** Entries of the conversation, oldest first. */
  @property({ attribute: false }) entries: readonly Entry[] = [];

  /** Text above the first entry, which says that an AI answers; empty for none. */
  @property() disclosure = '';

  /** Whether the agent is running. */
  @property({ type: Boolean }) running = false;

  /** Whether the history is loading. */
  @property({ type: Boolean }) loading = false;

  /** Whether there are earlier entries, which `inlay-load-earlier` requests. */
  @property({ attribute: 'has-earlier', type: Boolean }) hasEarlier = false;

  /** Automatic scrolling: `bottom`, `question-top` or `off`. */
  @property() follow: FollowMode = 'bottom';

  /** Where the unread separator is stored for the next page load. */
  @property({ attribute: false }) draftStorage: PageStoreKind = 'memory';

  /** Whether agent messages can be rated. */
  @property({ type: Boolean }) rateable = false;

  /** Whether the last agent message can be regenerated. */
  @property({ type: Boolean }) repeatable = false;

  /** Whether parts of agent messages can be quoted. */
  @property({ type: Boolean }) quotable = false;

  /** Whether agent messages can be read aloud, if the browser supports it. */
  @property({ type: Boolean }) speakable = false;

  /** Whether user messages can be edited. */
  @property({ type: Boolean }) editable = false;

  /** Loads attached files. Without it, only their names are shown. */
  @property({ attribute: false }) loadFile: LoadFile | null = null;

  /** When an exhausted quota resets, in milliseconds since the epoch; null if unknown. */
  @property({ attribute: false }) resetsAt: number | null = null;

  /** Custom buttons below messages. */
  @property({ attribute: false }) messageActions: readonly MessageAction[] = none;

  /** Functions of the page that draw custom blocks of cards, by name. */
  @property({ attribute: false }) renderers: CardRenderers | null = null;

  /** UI state of the entries, such as unsent input. Each conversation has its own. */
  @property({ attribute: false }) uiStates: EntryUiStates = new Map();

  /** Whether decisions and replies are disabled at the moment. */
  @property({ type: Boolean }) locked = false;

  /** Origins from which images in agent messages may be loaded. */
  @property({ attribute: false }) imageOrigins: readonly string[] = none;

  /** Display name of the agent. */
  @property({ attribute: 'agent-name' }) agentName = '';

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;
}
