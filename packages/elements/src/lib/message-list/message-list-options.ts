import type { Entry } from '@inlay/client';
import { LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import type { MessageAction } from '../answer-actions/message-actions.ts';
import type { EntryMemory } from '../entry-memory.ts';
import type { LoadFile } from '../file/file.ts';
import { english } from '../i18n/languages/en.ts';
import type { Strings } from '../i18n/strings.ts';
import type { EntryView } from './entry-view.ts';
import type { FollowMode } from './follow-controller.ts';

const none: readonly never[] = [];

/** What the conversation is drawn from: what was said, what the user may do with it, its words. */
export class MessageListOptions extends LitElement implements EntryView {
  /** The conversation, oldest first. */
  @property({ attribute: false }) entries: readonly Entry[] = [];

  /** Whether the agent works. */
  @property({ type: Boolean }) running = false;

  /** Whether what was said before is being read. */
  @property({ type: Boolean }) loading = false;

  /** Whether more was said before, which `inlay-load-earlier` asks for. */
  @property({ attribute: 'has-earlier', type: Boolean }) hasEarlier = false;

  /** Where the view goes by itself: `bottom`, `question-top` or `off`. */
  @property() follow: FollowMode = 'bottom';

  /** Whether answers can be rated. */
  @property({ type: Boolean }) rateable = false;

  /** Whether the user can have the last answer again. */
  @property({ type: Boolean }) repeatable = false;

  /** Whether parts of answers can be quoted. */
  @property({ type: Boolean }) quotable = false;

  /** Whether the user may say something else instead of what they said. */
  @property({ type: Boolean }) editable = false;

  /** Fetches attached files. Without it, they are shown by name. */
  @property({ attribute: false }) loadFile: LoadFile | null = null;

  /** When a limit that was reached begins anew, in milliseconds since the epoch; null for unknown. */
  @property({ attribute: false }) resetsAt: number | null = null;

  /** Buttons of the page's own below messages. */
  @property({ attribute: false }) messageActions: readonly MessageAction[] = none;

  /** What the user did to entries and has not sent. Another conversation has another. */
  @property({ attribute: false }) memory: EntryMemory = new Map();

  /** Whether the user can decide on nothing at the moment. */
  @property({ type: Boolean }) locked = false;

  /** Origins from which images in answers may be loaded. */
  @property({ attribute: false }) imageOrigins: readonly string[] = none;

  /** Who answers. */
  @property({ attribute: 'agent-name' }) agentName = '';

  /** The words, in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;
}
