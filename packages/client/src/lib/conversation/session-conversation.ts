import type { EmbedConfig, UserContent, UserEventInput } from '@inlay/protocol';
import { InlayError, subjectChanged } from '../errors.ts';
import type { Conversation, MessageOptions, RateOptions } from '../inlay-client.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { StreamContext } from '../stream/stream-context.ts';
import { answerCard, confirmationOf } from './agent-asks.ts';
import { allowanceOf } from './allowances.ts';
import { ConversationStore } from './conversation-store.ts';
import { inPlaceOf } from './in-place-of.ts';
import type { KeptTexts } from './kept-texts.ts';
import type { ConversationEvent } from './local-events.ts';
import { contentOf, type Message, Messages } from './messages.ts';
import { Outbox } from './outbox.ts';
import { learnRatings, type RatingContext, rate } from './ratings.ts';
import { SessionLink } from './session-link.ts';
import type { ConversationState, Entry } from './state.ts';
import { Succession } from './succession.ts';

export interface ConversationOptions extends StreamContext {
  /** A conversation that exists; without it, the first message makes one. */
  readonly sessionId: string | null;
  /** An earlier view of the same session, which has still something to send. */
  readonly former: SessionConversation | null;
  readonly texts: KeptTexts;
  /** What the platform has said about the agent and the person; null before that. */
  readonly config: () => EmbedConfig | null;
  /** It reads and sends nothing any more. */
  readonly onEnd: () => void;
}

/**
 * A conversation over one session: tells the reducer what comes from the server and what the person
 * does, and tells its listeners when there is something new to show.
 *
 * Its view may lose interest (`close`) before everything is sent that the person said. It then reads
 * no more, and lives on until its outbox is empty, or somebody ends it.
 */
export class SessionConversation implements Conversation {
  readonly #options: ConversationOptions;
  /** Until the view is not interested any more. */
  readonly #interest = new AbortController();
  /** Until nothing is sent any more. */
  readonly #life = new AbortController();
  readonly #store: ConversationStore;
  readonly #outbox: Outbox;
  readonly #link: SessionLink;
  readonly #messages: Messages;
  readonly #succession: Succession;

  constructor(options: ConversationOptions) {
    this.#options = options;
    const { former, ports, texts, onDiagnostic } = options;
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
        const draft = texts.draft('');
        // Another view may have found the session before, and a draft been written in it.
        if (!draft || texts.draft(sessionId)) return;
        texts.setDraft(sessionId, draft);
        texts.setDraft('', '');
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
      texts,
      outbox: this.#outbox,
      sessionId: () => this.sessionId,
      state: () => this.state,
      tell: (event) => this.#tell(event),
    });
    if (former) this.#succession.follow(former.#succession);
    // Nothing is lost where it can't be known who the person is: it stays where it is kept.
    this.#takeLeft().catch(() => {});
  }

  get sessionId(): string | null {
    return this.#link.sessionId;
  }

  get state(): ConversationState {
    return this.#store.state;
  }

  get draft(): string {
    return this.#closed ? '' : this.#options.texts.draft(this.sessionId ?? '');
  }

  setDraft(text: string): void {
    if (!this.#closed) this.#options.texts.setDraft(this.sessionId ?? '', text);
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
    // A part of the log may hold nothing that is shown.
    while (this.state.hasEarlier && this.state.entries[0] === before)
      await this.#link.loadEarlier();
  }

  stop(): void {
    const { stoppable, stopping } = this.state;
    if (this.#closed || stopping || (!stoppable && this.#outbox.empty)) return;
    this.#tell({ type: 'local.stop', wanted: true });
    // In its turn: after the message whose answer it stops. A stop that fails can be pressed again.
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
    // What is just being sent may arrive.
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

  /** Ends it at once: what is still being sent fails with the error. */
  end(error: InlayError): void {
    if (this.#life.signal.aborted) return;
    this.#leave(null);
    this.#life.abort(error);
    this.#link.end(error);
    // What failed here is for the next view of the session, unless that shows it already.
    if (!this.#succession.succeeded) this.#messages.leave();
    this.#options.onEnd();
  }

  /** Ends it and forgets what was said: another person looks at the page now. */
  wipe(): void {
    const error = subjectChanged();
    this.#store.reset();
    this.#leave(error);
    this.end(error);
  }

  /** The view is not interested any more. What the person said is still sent. */
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

  /** Shows a message, and brings it on its way. */
  async #say(message: Message): Promise<void> {
    this.#assertOpen();
    // A first message that failed may have made the session all the same: it has to come first.
    if (this.sessionId === null) this.#messages.retry();
    const sent = this.#messages.say(this.#options.ports.uniqueId(), message);
    this.#link.claim();
    await sent;
    await this.#link.opened;
  }

  /** Goes on with what an earlier page load did not get sent, and learns what can wait so long. */
  async #takeLeft(): Promise<void> {
    const { texts, config } = this.#options;
    await Promise.all([this.#link.opened, texts.known()]);
    if (this.#closed) return;
    const { allowances, features } = config() ?? {};
    if (allowances) this.#tell({ type: 'local.allowances', allowances });
    // What began a conversation may have made its session, and can't come second in another.
    if (this.sessionId !== null || this.state.entries.length === 0) this.#messages.takeLeft();
    // There may be a draft.
    this.#store.changed();
    if (this.#options.sessionId === null || !features?.feedback) return;
    await learnRatings(this.#rated);
  }

  /** The conversation whose answers are rated. */
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
    if (event.type === 'user.message') this.#outbox.look();
  }
}

function closedError(): InlayError {
  return new InlayError('CLOSED', 'The conversation was closed. Open it again to go on.');
}
