import type { Mode } from '@inlay/protocol';
import { LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import type { AttachmentPolicy } from '../attachments/attachment-policy.ts';
import type { Upload } from '../attachments/uploads.ts';
import { english } from '../i18n/languages/en.ts';
import type { Strings } from '../i18n/strings.ts';
import type { Command, FindMentions } from './commands.ts';

/** What the composer is given: what stands in it, what may be done in it, and its words. */
export class ComposerOptions extends LitElement {
  /** The text. */
  @property() value = '';

  /** Shown while there is no text. */
  @property() placeholder = '';

  /** One line below the field. */
  @property() disclaimer = '';

  /** Whether an answer is being made, so that it can be stopped. */
  @property({ type: Boolean }) running = false;

  /** Whether the text can be read and copied, but neither changed nor sent. */
  @property({ type: Boolean, attribute: 'readonly' }) readOnly = false;

  /** Whether the person can write, but not send. */
  @property({ type: Boolean }) held = false;

  /** What may be attached; null for nothing. */
  @property({ attribute: false }) attachments: AttachmentPolicy | null = null;

  /** Brings a file to the platform. Without it, nothing can be attached. */
  @property({ attribute: false }) upload: Upload | null = null;

  /** Which conversation is written in. Each has its own files waiting. */
  @property() thread = '';

  /** Tells what the person said in it, oldest first, for the arrow up. */
  @property({ attribute: false }) said: () => readonly string[] = () => [];

  /** What the page offers behind a `/`. */
  @property({ attribute: false }) commands: readonly Command[] = [];

  /** Finds what can be mentioned behind an `@`; null for nothing. */
  @property({ attribute: false }) findMentions: FindMentions | null = null;

  /** Ways in which the agent can answer. With fewer than two there is nothing to choose. */
  @property({ attribute: false }) modes: readonly Mode[] = [];

  /** Id of the way that is chosen; the first by default. */
  @property() mode = '';

  /** Whether the person can speak in place of typing, where the browser has it. */
  @property({ type: Boolean }) dictation = false;

  /** The words, in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;
}
