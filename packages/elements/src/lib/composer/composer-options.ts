import type { Mode } from '@inlay/protocol';
import { LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import type { AttachmentPolicy } from '../attachments/attachment-policy.ts';
import type { Upload } from '../attachments/uploads.ts';
import { english } from '../i18n/languages/en.ts';
import type { Strings } from '../i18n/strings.ts';
import type { Command, FindMentions } from './commands.ts';

/** Properties of the composer. */
export class ComposerOptions extends LitElement {
  /** Text of the field. */
  @property() value = '';

  /** Placeholder of the field. */
  @property() placeholder = '';

  /** Accessible description of the field. */
  @property() description = '';

  /** Disclaimer below the field, one line. */
  @property() disclaimer = '';

  /** Whether the agent can be stopped. Shows the stop button. */
  @property({ type: Boolean }) running = false;

  /** Whether the text can be read and copied, but neither changed nor sent. */
  @property({ type: Boolean, attribute: 'readonly' }) readOnly = false;

  /** Whether the user can write, but not send, for example after the token expired. */
  @property({ type: Boolean, attribute: 'sending-disabled' }) sendingDisabled = false;

  /** Attachment policy; null if attachments are disabled. */
  @property({ attribute: false }) attachments: AttachmentPolicy | null = null;

  /** Uploads a file. Without it, attachments are disabled. */
  @property({ attribute: false }) upload: Upload | null = null;

  /** Id of the conversation; empty for a new one. Each conversation has its own attachments. */
  @property({ attribute: 'conversation-id' }) conversationId = '';

  /** The conversation, compared by identity. A conversation that gets its id keeps its attachments. */
  @property({ attribute: false }) conversation: unknown = null;

  /** Returns the user's messages, oldest first, for the message history (arrow up). */
  @property({ attribute: false }) sentMessages: () => readonly string[] = () => [];

  /** Slash commands of the page. */
  @property({ attribute: false }) commands: readonly Command[] = [];

  /** Finds the items that can be mentioned with `@`; null to disable mentions. */
  @property({ attribute: false }) findMentions: FindMentions | null = null;

  /** Modes of the agent. With fewer than two, no selector is shown. */
  @property({ attribute: false }) modes: readonly Mode[] = [];

  /** Id of the mode that is selected until the user chooses one. By default the first. */
  @property() mode = '';

  /** Whether dictation is offered if the browser supports it. */
  @property({ type: Boolean }) dictation = false;

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;
}
