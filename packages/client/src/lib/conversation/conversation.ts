import type { EmbedConfig, UserContent, UserEventInput } from '@inlay/protocol';
import { asInlayError, closedError, type InlayError } from '../errors.ts';
import type { Conversation, MessageOptions, RateOptions } from '../inlay-client.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { StreamContext } from '../stream/stream-context.ts';
import type { DraftStore } from './drafts.ts';
import {
  answerCard,
  confirmationEvent,
  loadRatings,
  type RatingContext,
  rateMessage,
} from './entry-actions.ts';
import { editTarget, type Message, toContent } from './messages.ts';
import type { Outbox, OutboxView } from './outbox.ts';
import { SessionLink } from './session-link.ts';
import type { ConversationState } from './state.ts';
import { ConversationStore } from './store.ts';

interface ConversationOptions extends StreamContext {
  /** The outbox of the session, which all conversation objects of the session share. */
  readonly outbox: Outbox;
  readonly drafts: DraftStore;
  /** The agent's configuration for the user; null while unknown. */
  readonly config: () => EmbedConfig | null;
}

/**
 * A view of one session: dispatches server events and user actions to the reducer, and notifies its
 * listeners of the new state. The session's outbox sends the user's events.
 *
 * `close()` stops reading immediately. Unsent messages are still sent, and the state shows them.
 */
export class SessionConversation implements Conversation {
  readonly #options: ConversationOptions;
  /** Whether the session existed when the conversation was opened. */
  readonly #isExisting: boolean;
  /** Aborted when reading ends. */
  readonly #reading = new AbortController();
  readonly #store: ConversationStore;
  readonly #outbox: Outbox;
  readonly #link: SessionLink;
  readonly #view: OutboxView;

  readonly subscribe = (listener: () => void): (() => void) => this.#store.subscribe(listener);

  constructor(options: ConversationOptions) {
    const { outbox, ports, onDiagnostic } = options;
    this.#options = options;
    this.#outbox = outbox;
    this.#isExisting = outbox.sessionId !== null;
    this.#store = new ConversationStore({ frame: ports.frame, onDiagnostic });
    this.#link = new SessionLink({
      ...options,
      store: this.#store,
      signal: this.#reading.signal,
    });
    this.#view = {
      dispatch: (event) => this.#store.dispatch(event),
      state: () => this.state,
      create: (message) => this.#link.create(message),
      end: (error, isWiped) => {
        if (isWiped) this.#store.reset();
        this.#stopReading(isWiped ? error : null);
        this.#link.end(error);
        this.#store.end();
      },
    };
    outbox.subscribe(this.#view);
    // While the user is unknown, unsent messages stay in the draft store.
    this.#resumeUnsent().catch((error) => asInlayError(error, onDiagnostic));
  }

  get state(): ConversationState {
    return this.#store.state;
  }

  get draft(): string {
    return this.#closed ? '' : this.#options.drafts.draft(this.#outbox.sessionId ?? '');
  }

  setDraft(text: string): void {
    if (!this.#closed) this.#options.drafts.setDraft(this.#outbox.sessionId ?? '', text);
  }

  async send(message: string | UserContent, options: MessageOptions = {}): Promise<void> {
    await this.#send({ ...options, content: toContent(message) });
  }

  async edit(
    key: string,
    message?: string | UserContent,
    options: MessageOptions = {},
  ): Promise<void> {
    this.#assertOpen();
    const { entry, parent } = editTarget(this.state, key);
    const { content, mode, mentions } = entry;
    const replacement =
      message === undefined
        ? { content, mode, mentions, ...options }
        : { ...options, content: toContent(message) };
    if (entry.delivery === 'failed') this.discard(entry.key);
    await this.#send(omitUndefined<Message>({ ...replacement, parent }));
  }

  showVersion(key: string, at: number): void {
    if (!this.#closed) this.#store.dispatch({ type: 'local.version_selected', key, at });
  }

  async loadEarlier(): Promise<void> {
    this.#assertOpen();
    const [before] = this.state.entries;
    // A page may contain no entry of the branch that is shown.
    while (this.state.hasEarlier && this.state.entries[0] === before)
      await this.#link.loadEarlier();
  }

  stop(): void {
    const { stoppable, stopping } = this.state;
    if (this.#closed || stopping || (!stoppable && this.#outbox.empty)) return;
    this.#store.dispatch({ type: 'local.stop', stopping: true });
    // The interrupt is queued after the message whose answer it stops. If it fails, the user can stop again.
    this.#act({ type: 'user.interrupt' }).catch(() =>
      this.#store.dispatch({ type: 'local.stop', stopping: false }),
    );
  }

  retry(key?: string): void {
    if (!this.#closed) this.#outbox.retry(key);
  }

  discard(key: string): void {
    if (!this.#closed) this.#outbox.discard(key);
  }

  reconnect(): void {
    if (this.#closed) return;
    this.#options.tokens.retryNow();
    this.#link.reconnect();
    this.#outbox.retryNow();
  }

  async confirmTool(id: string, decision: 'allow' | 'deny', message?: string): Promise<void> {
    await this.#act(confirmationEvent(this.state, id, decision, message));
  }

  async answerCard(
    card_id: string,
    action: string,
    values: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    this.#assertOpen();
    await answerCard(this.#store, { card_id, action, values }, (event) => this.#act(event));
  }

  async submitToolResult(
    custom_tool_use_id: string,
    text: string,
    { isError: is_error }: { isError?: boolean } = {},
  ): Promise<void> {
    await this.#act({
      type: 'user.custom_tool_result',
      custom_tool_use_id,
      content: [{ type: 'text', text }],
      ...omitUndefined({ is_error }),
    });
  }

  async rate(event_id: string, rating: 'up' | 'down', options?: RateOptions): Promise<void> {
    await rateMessage(this.#ratingContext, { event_id, rating, ...options });
  }

  close(): void {
    if (this.#closed) return;
    this.#stopReading(null);
    this.#outbox.unsubscribe(this.#view);
  }

  /** Stops reading. Unsent messages are still sent. */
  #stopReading(error: InlayError | null): void {
    if (this.#closed) return;
    this.#store.dispatch({ type: 'local.connection', connection: 'closed', error });
    this.#reading.abort(closedError('conversation'));
    this.#link.stopReading();
    this.#store.close();
  }

  get #closed(): boolean {
    return this.#reading.signal.aborted;
  }

  #assertOpen(): void {
    if (this.#closed) throw closedError('conversation');
  }

  async #act(event: UserEventInput): Promise<void> {
    this.#assertOpen();
    this.#link.claim();
    await this.#outbox.act(event);
  }

  /** Shows a message and queues it. */
  async #send(message: Message): Promise<void> {
    this.#assertOpen();
    const sent = this.#outbox.send(this.#view, message);
    this.#link.claim();
    await sent;
    await this.#link.opened;
  }

  /** Resumes unsent messages of an earlier page load, and loads ratings. */
  async #resumeUnsent(): Promise<void> {
    const { drafts, config } = this.#options;
    this.#showWelcome();
    await Promise.all([this.#link.opened, drafts.loaded()]);
    if (this.#closed) return;
    this.#showWelcome();
    const { allowances, features } = config() ?? {};
    if (allowances) this.#store.dispatch({ type: 'local.allowances', allowances });
    // Unsent messages without a session began another conversation: they must not continue this one if
    // the user has already sent a message here.
    if (this.#outbox.sessionId !== null || this.state.entries.length === 0) {
      this.#outbox.resume(this.#view);
    }
    // Notifies the listeners, because a draft may have been loaded.
    this.#store.scheduleNotification();
    if (!this.#isExisting || !features?.feedback) return;
    await loadRatings(this.#ratingContext);
  }

  /** Shows the agent's welcome card, if the configuration is known. */
  #showWelcome(): void {
    const { card } = this.#options.config()?.welcome ?? {};
    if (card && !this.state.welcome) this.#store.dispatch({ type: 'local.welcome', card });
  }

  get #ratingContext(): RatingContext {
    return {
      platform: this.#options.platform,
      path: this.#link.path,
      signal: this.#reading.signal,
      store: this.#store,
    };
  }
}
