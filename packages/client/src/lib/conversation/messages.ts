import type { Mention, UserContent, UserMessageInput } from '@inlay/protocol';
import { InlayError } from '../errors.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { Ports } from '../ports.ts';
import { type DraftStore, newPlace } from './draft-store.ts';
import type { LocalEvent } from './local-events.ts';
import type { Outbox } from './outbox.ts';
import type { ConversationState, UserEntry } from './state.ts';

/** A message of the user. */
export interface Message {
  readonly content: UserContent;
  readonly mode?: string | null;
  readonly mentions?: readonly Mention[];
  /** The id or key of the message that it follows; null for none. Default: what is shown. */
  readonly parent?: string | null;
}

export interface MessagesOptions {
  readonly ports: Ports;
  readonly drafts: DraftStore;
  readonly outbox: Outbox;
  readonly sessionId: () => string | null;
  readonly state: () => ConversationState;
  readonly tell: (event: LocalEvent) => void;
}

/** The user's messages of one conversation: adds them to the state, stores and queues them. */
export class Messages {
  readonly #options: MessagesOptions;
  /** Temporary id in the draft store while there is no session. */
  readonly #newPlace: string;
  /** Sent events by key: a repeat with the same idempotency key needs the same body. */
  readonly #sent = new Map<string, UserMessageInput>();

  constructor(options: MessagesOptions) {
    this.#options = options;
    this.#newPlace = newPlace(options.ports.uniqueId());
  }

  /** Adds a message and queues it. Settles when it is in the log or has failed. */
  async say(key: string, message: Message): Promise<void> {
    const { ports, tell } = this.#options;
    tell({ type: 'local.typed', key, at: ports.clock.now(), ...message });
    this.#buildEvent(key);
    await this.#send(key);
  }

  /** Returns the `parent_id` of a message that is not sent; undefined if it needs none. */
  parentOf(key: string): string | null | undefined {
    return parentOf(this.#options.state(), key);
  }

  /**
   * Queues a failed message again, or all of them. Messages that begin a conversation are retried
   * together, because the first one has to come first. Failures show in the state only.
   */
  retry(key?: string): void {
    for (const failed of this.#failed) {
      if (key !== undefined && failed.key !== key && this.#options.sessionId() !== null) continue;
      this.#options.tell({
        type: 'local.delivery',
        key: failed.key,
        delivery: 'queued',
        error: null,
      });
      this.#send(failed.key).catch(() => {});
    }
  }

  /** Removes a failed message. */
  discard(key: string): void {
    const { state, tell } = this.#options;
    tell({ type: 'local.discarded', key });
    if (messageOf(state(), key) === undefined) this.delivered(key);
  }

  /** Forgets a message that is in the log or was discarded. */
  delivered(key: string): void {
    this.#sent.delete(key);
    this.#options.drafts.remove(key);
  }

  /** Moves unsent messages to the new session id. */
  moveTo(sessionId: string): void {
    this.#options.drafts.move(this.#newPlace, sessionId);
  }

  /** Makes failed messages available to the next conversation object of the session. */
  release(): void {
    for (const { key } of this.#failed) this.#options.drafts.release(key);
  }

  /** Queues the unsent messages of an earlier page load. */
  resumeUnsent(): void {
    const { drafts, sessionId } = this.#options;
    for (const { key, message } of drafts.claim(sessionId())) {
      const { content, parent_id: parent, mode, mentions } = message;
      const said = omitUndefined<Message>({
        content,
        parent,
        mode,
        mentions: mentions ?? undefined,
      });
      // It may have been sent without a parent although another branch is shown now.
      if (parent === undefined) this.#sent.set(key, eventOf(said, undefined));
      this.say(key, said).catch(() => {});
    }
  }

  get #failed(): UserEntry[] {
    return saidIn(this.#options.state()).filter(({ delivery }) => delivery === 'failed');
  }

  /** Builds the event of a message, and stores it. */
  #buildEvent(key: string): UserMessageInput {
    const { state, drafts } = this.#options;
    const message = messageOf(state(), key);
    const event =
      this.#sent.get(key) ?? eventOf(message ?? { content: [] }, parentOf(state(), key));
    // After a change of user the message is gone.
    if (message) drafts.add(this.#place, key, event);
    return event;
  }

  /** Its id in the draft store. */
  get #place(): string {
    return this.#options.sessionId() ?? this.#newPlace;
  }

  #send(key: string): Promise<void> {
    return this.#options.outbox.add({
      key,
      // Built when it is sent, because the ids of its parents may be unknown before.
      event: () => {
        const event = this.#buildEvent(key);
        this.#sent.set(key, event);
        return event;
      },
    });
  }
}

function eventOf(
  { content, mode, mentions = [] }: Message,
  parent: string | null | undefined,
): UserMessageInput {
  return omitUndefined<UserMessageInput>({
    type: 'user.message',
    content,
    parent_id: parent,
    mode: mode ?? undefined,
    mentions: mentions.length > 0 ? [...mentions] : undefined,
  });
}

/** Returns the id of a message's parent; undefined if it needs none. */
function parentOf(state: ConversationState, key: string): string | null | undefined {
  const parent = state.memory.branches.parents.get(key);
  const before = typeof parent === 'string' ? messageOf(state, parent) : undefined;
  if (!before) return parent;
  // Failed messages are skipped.
  return before.id ?? parentOf(state, before.key);
}

/** Finds a message by key or id in all branches. */
function messageOf(state: ConversationState, name: string): UserEntry | undefined {
  return saidIn(state).findLast(({ key, id }) => key === name || id === name);
}

/** Returns the user's messages of all branches. */
export function saidIn({ entries, memory }: ConversationState): UserEntry[] {
  return (memory.branches.all ?? entries).filter((entry) => entry.kind === 'user');
}

/**
 * Returns the content blocks of a message.
 *
 * @throws {InlayError} `INVALID_OPTION` for an empty message.
 */
export function contentOf(message: string | UserContent): UserContent {
  const content: UserContent =
    typeof message === 'string' ? [{ type: 'text', text: message }] : message;
  if (content.every((block) => block.type === 'text' && !block.text)) {
    throw new InlayError('INVALID_OPTION', 'A message needs a text or a content block.');
  }
  return content;
}
