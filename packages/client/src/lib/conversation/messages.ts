import type { Mention, UserContent, UserMessageInput } from '@inlay/protocol';
import { InlayError } from '../errors.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { Ports } from '../ports.ts';
import { type KeptTexts, newPlace } from './kept-texts.ts';
import type { LocalEvent } from './local-events.ts';
import type { Outbox } from './outbox.ts';
import type { ConversationState, UserEntry } from './state.ts';

/** What the person says. */
export interface Message {
  readonly content: UserContent;
  readonly mode?: string | null;
  readonly mentions?: readonly Mention[];
  /** The id or key of the message that it follows; null for none. Default: what is shown. */
  readonly parent?: string | null;
}

export interface MessagesOptions {
  readonly ports: Ports;
  readonly texts: KeptTexts;
  readonly outbox: Outbox;
  readonly sessionId: () => string | null;
  readonly state: () => ConversationState;
  readonly tell: (event: LocalEvent) => void;
}

/** What the person says in one conversation: shows it, keeps it over a reload, and has it sent. */
export class Messages {
  readonly #options: MessagesOptions;
  /** The name under which its text is kept while it has no session. */
  readonly #newPlace: string;
  /** As they were sent, by their keys: a repeat has to say the same to the letter. */
  readonly #written = new Map<string, UserMessageInput>();

  constructor(options: MessagesOptions) {
    this.#options = options;
    this.#newPlace = newPlace(options.ports.uniqueId());
  }

  /** Shows a message, and brings it on its way. Settles with it. */
  async say(key: string, message: Message): Promise<void> {
    const { ports, tell } = this.#options;
    tell({ type: 'local.typed', key, at: ports.clock.now(), ...message });
    this.#write(key);
    await this.#send(key);
  }

  /** What a message that was not sent follows, if it has to be named. */
  parentOf(key: string): string | null | undefined {
    return parentOf(this.#options.state(), key);
  }

  /**
   * Sends a message that failed again, or every one. What begins a conversation goes together: its
   * first message has to come first. Their promises are settled: the conversation shows the rest.
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

  /** Gives up a message that failed. */
  discard(key: string): void {
    const { state, tell } = this.#options;
    tell({ type: 'local.discarded', key });
    if (messageOf(state(), key) === undefined) this.delivered(key);
  }

  /** It is in the log, or given up. */
  delivered(key: string): void {
    this.#written.delete(key);
    this.#options.texts.remove(key);
  }

  /** The conversation has got its session. */
  moveTo(sessionId: string): void {
    this.#options.texts.move(this.#newPlace, sessionId);
  }

  /** What failed is for the next view of the conversation. */
  leave(): void {
    for (const { key } of this.#failed) this.#options.texts.leave(key);
  }

  /** Goes on with what an earlier page load did not get sent. */
  takeLeft(): void {
    const { texts, sessionId } = this.#options;
    for (const { key, message } of texts.takeLeft(sessionId())) {
      const { content, parent_id: parent, mode, mentions } = message;
      const said = omitUndefined<Message>({
        content,
        parent,
        mode,
        mentions: mentions ?? undefined,
      });
      // It may have been sent without a parent, and the view be on another branch by now.
      if (parent === undefined) this.#written.set(key, eventOf(said, undefined));
      this.say(key, said).catch(() => {});
    }
  }

  get #failed(): UserEntry[] {
    return saidIn(this.#options.state()).filter(({ delivery }) => delivery === 'failed');
  }

  /** Writes down what is sent of a message, which is also what is kept of it. */
  #write(key: string): UserMessageInput {
    const { state, texts } = this.#options;
    const message = messageOf(state(), key);
    const event =
      this.#written.get(key) ?? eventOf(message ?? { content: [] }, parentOf(state(), key));
    // Where the person has changed, nothing is left of it.
    if (message) texts.keep(this.#place, key, event);
    return event;
  }

  /** Under which name its text is kept. */
  get #place(): string {
    return this.#options.sessionId() ?? this.#newPlace;
  }

  #send(key: string): Promise<void> {
    return this.#options.outbox.add({
      key,
      // Only now it is known what became of those that it follows.
      event: () => {
        const event = this.#write(key);
        this.#written.set(key, event);
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

/** What a message says of its place: the id of the one that it follows, if it has to be named. */
function parentOf(state: ConversationState, key: string): string | null | undefined {
  const parent = state.memory.branches.parents.get(key);
  const before = typeof parent === 'string' ? messageOf(state, parent) : undefined;
  if (!before) return parent;
  // One that failed is passed over.
  return before.id ?? parentOf(state, before.key);
}

/** The entry of a message, by its key or id, whether or not it is shown. */
function messageOf(state: ConversationState, name: string): UserEntry | undefined {
  return saidIn(state).findLast(({ key, id }) => key === name || id === name);
}

/** What the person said, in all branches. */
export function saidIn({ entries, memory }: ConversationState): UserEntry[] {
  return (memory.branches.all ?? entries).filter((entry) => entry.kind === 'user');
}

/** Throws where nothing is said. */
export function contentOf(message: string | UserContent): UserContent {
  const content: UserContent =
    typeof message === 'string' ? [{ type: 'text', text: message }] : message;
  if (content.every((block) => block.type === 'text' && !block.text)) {
    throw new InlayError('INVALID_OPTION', 'A message needs a text or a content block.');
  }
  return content;
}
