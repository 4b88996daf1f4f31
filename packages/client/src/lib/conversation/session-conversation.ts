import type { EmbedConfig, UserContent, UserEventInput } from '@inlay/protocol';
import { InlayError, subjectChanged } from '../errors.ts';
import type { Conversation, MessageOptions, RateOptions } from '../inlay-client.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { StreamContext } from '../stream/stream-context.ts';
import { answerCard, confirmationOf } from './agent-asks.ts';
import { allowanceOf } from './allowances.ts';
import { ConversationStore } from './conversation-store.ts';
import type { DraftStore } from './draft-store.ts';
import { inPlaceOf } from './in-place-of.ts';
import type { ConversationEvent } from './local-events.ts';
import { contentOf, type Message, Messages } from './messages.ts';
import { Outbox } from './outbox.ts';
import { learnRatings, type RatingContext, rate } from './ratings.ts';
import { SessionLink } from './session-link.ts';
import type { ConversationState, Entry } from './state.ts';
import { Succession } from './succession.ts';

export interface ConversationOptions extends StreamContext {
  /** An existing session; null for one that the first message creates. */
  readonly sessionId: string | null;
  /** An earlier conversation object of the same session that still has messages to send. */
  readonly former: SessionConversation | null;
  readonly drafts: DraftStore;
  /** The agent's configuration for the user; null while unknown. */
  readonly config: () => EmbedConfig | null;
  /** Called when nothing is read or sent any more. */
  readonly onEnd: () => void;
}

/**
 * A conversation over one session: dispatches server events and user actions to the reducer, and
 * notifies its listeners of the new state.
 *
 * `close()` stops reading at once. Unsent messages are still sent, until the outbox is empty or `end`
 * is called.
 */
export class SessionConversation implements Conversation {
  readonly #options: ConversationOptions;
  /** Aborted by `close`: reading ends. */
  readonly #interest = new AbortController();
  /** Aborted by `end`: sending ends. */
  readonly #life = new AbortController();
  readonly #store: ConversationStore;
  readonly #outbox: Outbox;
  readonly #link: SessionLink;
  readonly #messages: Messages;
  readonly #succession: Succession;

  constructor(options: ConversationOptions) {
    this.#options = options;
    const { former, ports, drafts, onDiagnostic } = options;
    this.#store = new ConversationStore({ frame: ports.frame, onDiagnostic });
    this.#succession = new Succession({
      outbox: () => this.#outbox,
      messages: () => this.#messages,
      entries: () => this.#everything,
      tell: (event) => this.#tell(event),
    });
    this.#link = new SessionLink({
      ...options,
      interest: this.#interest.signal,
      life: this.#life.signal,
      state: () => this.state,
      tell: (event) => this.#tell(event),
      onCreated: (sessionId) => {
        this.#messages.moveTo(sessionId);
        if (this.#closed) return;
        const draft = drafts.draft('');
        // Another conversation object may have found the session before, and have a draft.
        if (!draft || drafts.draft(sessionId)) return;
        drafts.setDraft(sessionId, draft);
        drafts.setDraft('', '');
      },
    });
    this.#outbox = new Outbox({
      ...options,
      signal: this.#life.signal,
      ready: () => this.#succession.turn,
      deliver: (item) => this.#link.deliver(item),
      onDelivery: (key, delivery, error, retryAt) => {
        const allowance = error && allowanceOf(error, ports.clock.now());
        if (allowance) this.#tell({ type: 'local.allowances', allowances: [allowance] });
        this.#tell({ type: 'local.delivery', key, delivery, error, retryAt });
      },
      isInLog: (key) => this.#everything.some((entry) => entry.key === key && entry.id !== null),
      onDelivered: (key) => this.#messages.delivered(key),
      onEmpty: () => {
        if (this.#closed) this.end(closedError());
      },
    });
    this.#messages = new Messages({
      ports,
      drafts,
      outbox: this.#outbox,
      sessionId: () => this.sessionId,
      state: () => this.state,
      tell: (event) => this.#tell(event),
    });
    if (former) this.#succession.follow(former.#succession);
    // While the user is unknown, unsent messages stay in the store.
    this.#resumeUnsent().catch(() => {});
  }

  get sessionId(): string | null {
    return this.#link.sessionId;
  }

  get state(): ConversationState {
    return this.#store.state;
  }

  get draft(): string {
    return this.#closed ? '' : this.#options.drafts.draft(this.sessionId ?? '');
  }

  setDraft(text: string): void {
    if (!this.#closed) this.#options.drafts.setDraft(this.sessionId ?? '', text);
  }

  subscribe(listener: () => void): () => void {
    return this.#store.subscribe(listener);
  }

  async send(message: string | UserContent, options: MessageOptions = {}): Promise<void> {
    await this.#say({ ...options, content: contentOf(message) });
  }

  async edit(
    key: string,
    message?: string | UserContent,
    options: MessageOptions = {},
  ): Promise<void> {
    this.#assertOpen();
    const { entry, parent } = inPlaceOf(this.state, key);
    const { content, mode, mentions } = entry;
    const said =
      message === undefined
        ? { content, mode, mentions, ...options }
        : { ...options, content: contentOf(message) };
    if (entry.delivery === 'failed') this.discard(entry.key);
    await this.#say(omitUndefined<Message>({ ...said, parent }));
  }

  showVersion(key: string, at: number): void {
    if (!this.#closed) this.#tell({ type: 'local.shown', key, at });
  }

  async loadEarlier(): Promise<void> {
    this.#assertOpen();
    const [before] = this.state.entries;
    // A page of the log may have no entry that is shown.
    while (this.state.hasEarlier && this.state.entries[0] === before)
      await this.#link.loadEarlier();
  }

  stop(): void {
    const { stoppable, stopping } = this.state;
    if (this.#closed || stopping || (!stoppable && this.#outbox.empty)) return;
    this.#tell({ type: 'local.stop', wanted: true });
    // Queued behind the message whose answer it stops. After a failure the button works again.
    this.#act({ type: 'user.interrupt' }).catch(() =>
      this.#tell({ type: 'local.stop', wanted: false }),
    );
  }

  retry(key?: string): void {
    if (this.#closed) return;
    this.#messages.retry(key);
    if (key === undefined || this.#succession.holds(key)) this.#succession.retryNow();
  }

  discard(key: string): void {
    if (this.#closed) return;
    const waits = this.#everything.some(
      (entry) => entry.kind === 'user' && entry.key === key && entry.retryAt !== null,
    );
    // A message that is being sent may arrive.
    if (this.#succession.holds(key) && !(waits && this.#succession.discard(key))) return;
    this.#messages.discard(key);
  }

  reconnect(): void {
    if (this.#closed) return;
    this.#options.tokens.retryNow();
    this.#link.reconnect();
    this.#succession.retryNow();
  }

  async confirmTool(id: string, decision: 'allow' | 'deny', message?: string): Promise<void> {
    await this.#act(confirmationOf(this.state, id, decision, message));
  }

  async answerCard(
    card_id: string,
    action: string,
    values: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    this.#assertOpen();
    await answerCard(
      this.state,
      { card_id, action, values },
      (event) => this.#tell(event),
      (event) => this.#act(event),
    );
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
    await rate(this.#rated, { event_id, rating, ...options });
  }

  close(): void {
    this.#leave(null);
    if (this.#outbox.empty) this.end(closedError());
  }

  /** Ends reading and sending at once. Pending messages fail with `error`. */
  end(error: InlayError): void {
    if (this.#life.signal.aborted) return;
    this.#leave(null);
    this.#life.abort(error);
    this.#link.end(error);
    // The next conversation object gets the failed messages, unless one shows them already.
    if (!this.#succession.succeeded) this.#messages.release();
    this.#options.onEnd();
  }

  /** Ends it and clears its state, because another user uses the page. */
  wipe(): void {
    const error = subjectChanged();
    this.#store.reset();
    this.#leave(error);
    this.end(error);
  }

  /** Ends reading. Messages are still sent. */
  #leave(error: InlayError | null): void {
    if (this.#closed) return;
    this.#tell({ type: 'local.connection', connection: 'closed', error });
    this.#interest.abort(closedError());
    this.#link.leave();
    this.#store.close();
  }

  /** The entries of all branches. */
  get #everything(): readonly Entry[] {
    return this.state.memory.branches.all ?? this.state.entries;
  }

  get #closed(): boolean {
    return this.#interest.signal.aborted;
  }

  #assertOpen(): void {
    if (this.#closed) throw closedError();
  }

  async #act(event: UserEventInput): Promise<void> {
    this.#assertOpen();
    this.#link.claim();
    await this.#outbox.add({ key: this.#options.ports.uniqueId(), event });
  }

  /** Shows a message and queues it. */
  async #say(message: Message): Promise<void> {
    this.#assertOpen();
    // A failed first message may have created the session, so it is repeated first.
    if (this.sessionId === null) this.#messages.retry();
    const sent = this.#messages.say(this.#options.ports.uniqueId(), message);
    this.#link.claim();
    await sent;
    await this.#link.opened;
  }

  /** Resumes unsent messages of an earlier page load, and loads ratings. */
  async #resumeUnsent(): Promise<void> {
    const { drafts, config } = this.#options;
    await Promise.all([this.#link.opened, drafts.loaded()]);
    if (this.#closed) return;
    const { allowances, features } = config() ?? {};
    if (allowances) this.#tell({ type: 'local.allowances', allowances });
    // Messages that began a conversation can't follow others in a second one.
    if (this.sessionId !== null || this.state.entries.length === 0) this.#messages.resumeUnsent();
    // A draft may have been loaded.
    this.#store.changed();
    if (this.#options.sessionId === null || !features?.feedback) return;
    await learnRatings(this.#rated);
  }

  /** The dependencies of rating an answer. */
  get #rated(): RatingContext {
    return {
      platform: this.#options.platform,
      path: () => this.#link.path,
      signal: this.#interest.signal,
      state: () => this.state,
      tell: (event) => this.#tell(event),
    };
  }

  #tell(event: ConversationEvent): void {
    this.#succession.pass(event);
    if (!this.#life.signal.aborted) this.#store.dispatch(event);
    if (event.type === 'user.message') this.#outbox.checkLog();
  }
}

function closedError(): InlayError {
  return new InlayError('CLOSED', 'The conversation was closed. Open it again to go on.');
}
