import type { CardValues, EmbedConfig, UserContent, UserEventInput } from '@inlay/protocol';
import { InlayError, subjectChanged } from '../errors.ts';
import { given } from '../given.ts';
import type { Conversation, MessageOptions, RateOptions } from '../inlay-client.ts';
import { Listeners } from '../listeners.ts';
import type { StreamContext } from '../stream/stream-context.ts';
import { allowanceOf } from './allowances.ts';
import type { KeptTexts } from './kept-texts.ts';
import { type Message, Messages } from './messages.ts';
import { Outbox } from './outbox.ts';
import type { RatingContext } from './ratings.ts';
import { type ConversationEvent, initialConversationState, reduce } from './reducer.ts';
import { SessionLink } from './session-link.ts';
import type { ConversationState, Entry } from './state.ts';

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

/** How many events may wait for someone to look before they are applied anyway. */
const largestBatch = 1_000;

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
  readonly #listeners: Listeners;
  readonly #outbox: Outbox;
  readonly #link: SessionLink;
  readonly #messages: Messages;
  #state: ConversationState = initialConversationState;
  #batch: ConversationEvent[] = [];
  #cancelFrame: (() => void) | null = null;
  /** An earlier view of the same session, which has still something to send. */
  #former: SessionConversation | null = null;
  /** A later view of the same session, which shows what becomes of what is sent here. */
  #successor: SessionConversation | null = null;

  constructor(options: ConversationOptions) {
    this.#options = options;
    const { former, ports, texts, onDiagnostic } = options;
    this.#listeners = new Listeners('subscribe', onDiagnostic);
    this.#link = new SessionLink({
      ...options,
      interest: this.#interest.signal,
      life: this.#life.signal,
      running: () => this.state.running,
      lacking: () => lacksStory(this.state),
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
      // What was said in an earlier view comes first.
      ready: () => (this.#former ? this.#former.#settled() : undefined),
      deliver: (item) => this.#link.deliver(item),
      onDelivery: (key, delivery, error) => {
        const allowance = error && allowanceOf(error, ports.clock.now());
        if (allowance) this.#tell({ type: 'local.allowances', allowances: [allowance] });
        this.#tell({ type: 'local.delivery', key, delivery, error });
      },
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
    if (former) this.#succeed(former);
    // Nothing is lost where it can't be known who the person is: it stays where it is kept.
    this.#takeLeft().catch(() => {});
  }

  get sessionId(): string | null {
    return this.#link.sessionId;
  }

  get state(): ConversationState {
    if (this.#batch.length > 0) this.#state = reduce(this.#state, this.#batch.splice(0));
    return this.#state;
  }

  get draft(): string {
    return this.#closed ? '' : this.#options.texts.draft(this.sessionId ?? '');
  }

  setDraft(text: string): void {
    if (!this.#closed) this.#options.texts.setDraft(this.sessionId ?? '', text);
  }

  subscribe(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  async send(message: string | UserContent, options: MessageOptions = {}): Promise<void> {
    await this.#say({ ...options, content: this.#contentOf(message) });
  }

  async edit(
    key: string,
    message?: string | UserContent,
    options: MessageOptions = {},
  ): Promise<void> {
    this.#assertOpen();
    const { entry, parent } = this.#messages.inPlaceOf(key);
    const { content, mode, mentions } = entry;
    const said =
      message === undefined
        ? { content, mode, mentions, ...options }
        : { ...options, content: this.#contentOf(message) };
    if (entry.delivery === 'failed') this.discard(entry.key);
    await this.#say(given<Message>({ ...said, parent }));
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
    for (const entry of this.#everything) {
      if (entry.kind !== 'user' || entry.delivery !== 'failed') continue;
      if (key !== undefined && entry.key !== key && this.sessionId !== null) continue;
      this.#messages.retry(entry.key);
    }
  }

  discard(key: string): void {
    if (!this.#closed) this.#messages.discard(key);
  }

  async confirmTool(
    tool_use_id: string,
    result: 'allow' | 'deny',
    deny_message?: string,
  ): Promise<void> {
    const entry = this.state.entries.findLast((each) => each.id === tool_use_id);
    const input_hash = (entry?.kind === 'tool' && entry.inputHash) || undefined;
    await this.#act({
      type: 'user.tool_confirmation',
      tool_use_id,
      result,
      ...given({ deny_message, input_hash }),
    });
  }

  async answerCard(
    card_id: string,
    action: string,
    values: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    this.#assertOpen();
    const entry = this.state.entries.findLast((each) => each.id === card_id);
    if (entry?.kind !== 'card') {
      throw new InlayError(
        'INVALID_OPTION',
        'answerCard(id) needs the id of a card that is shown.',
      );
    }
    if (entry.progress !== 'open') {
      throw new InlayError('CONFLICT', 'This card was answered already.');
    }
    this.#tell({ type: 'local.answered', id: card_id, answer: { action, values } });
    try {
      await this.#act({ type: 'user.card_action', card_id, action, values: values as CardValues });
    } catch (error) {
      this.#tell({ type: 'local.answered', id: card_id, answer: null });
      throw error;
    }
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
      ...given({ is_error }),
    });
  }

  async rate(event_id: string, rating: 'up' | 'down', options?: RateOptions): Promise<void> {
    const { rate } = await this.#ratings();
    await rate(this.#context, { event_id, rating, ...options });
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
    for (const entry of this.#successor ? [] : this.#everything) {
      if (entry.kind === 'user' && entry.delivery === 'failed')
        this.#options.texts.leave(entry.key);
    }
    this.#options.onEnd();
  }

  /** Ends it and forgets what was said: another person looks at the page now. */
  wipe(): void {
    const error = subjectChanged();
    this.#batch = [];
    this.#state = initialConversationState;
    this.#leave(error);
    this.end(error);
  }

  /** The view is not interested any more. What the person said is still sent. */
  #leave(error: InlayError | null): void {
    if (this.#closed) return;
    this.#tell({ type: 'local.connection', connection: 'closed', error });
    this.#interest.abort(closedError());
    this.#link.leave();
    this.#cancelFrame?.();
    // At once, and not with the next paint: that one must show nothing of the former person.
    this.#listeners.notify();
    this.#listeners.clear();
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
    if (this.sessionId === null) this.retry();
    const sent = this.#messages.say(this.#options.ports.uniqueId(), message);
    this.#link.claim();
    await sent;
    await this.#link.opened;
  }

  #contentOf(message: string | UserContent): UserContent {
    const content: UserContent =
      typeof message === 'string' ? [{ type: 'text', text: message }] : message;
    if (content.every((block) => block.type === 'text' && !block.text)) {
      throw new InlayError('INVALID_OPTION', 'A message needs a text or a content block.');
    }
    return content;
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
    this.#changed();
    if (this.#options.sessionId === null || !features?.feedback) return;
    const { learnRatings } = await this.#ratings();
    await learnRatings(this.#context);
  }

  /** Answers have to be there before anybody can think something of them. */
  async #ratings(): Promise<typeof import('./ratings.ts')> {
    this.#assertOpen();
    const ratings = await import('./ratings.ts');
    this.#assertOpen();
    return ratings;
  }

  get #context(): RatingContext {
    return {
      platform: this.#options.platform,
      path: this.#link.path,
      signal: this.#interest.signal,
      state: () => this.state,
      tell: (event) => this.#tell(event),
    };
  }

  /** Shows what an earlier view of the session has still to send, and what becomes of it. */
  #succeed(former: SessionConversation): void {
    former.#successor = this;
    this.#former = former.#outbox.empty ? former.#former : former;
    for (const entry of former.#everything) {
      if (entry.kind !== 'user' || entry.delivery === 'sent') continue;
      const { key, content, mode, mentions, at, delivery, error } = entry;
      const parent = former.#messages.parentOf(key);
      // What made the session is in its log by now.
      if (delivery !== 'failed' && !former.#holds(key)) continue;
      this.#tell({ type: 'local.typed', key, content, mode, mentions, at, ...given({ parent }) });
      this.#tell({ type: 'local.delivery', key, delivery, error });
    }
  }

  /** Resolves when this view and those before it have nothing more to send. */
  async #settled(): Promise<void> {
    if (this.#former) await this.#former.#settled();
    await this.#outbox.settled;
  }

  /** Whether it has a message still to send: this view, or one before it. */
  #holds(key: string): boolean {
    return this.#outbox.holds(key) || (this.#former ? this.#former.#holds(key) : false);
  }

  #tell(event: ConversationEvent): void {
    // Also when this one has ended: it may stand between an earlier view and a later one.
    if (event.type === 'local.delivery' || event.type === 'local.accepted') {
      if (this.#successor) this.#successor.#tell(event);
    }
    if (this.#life.signal.aborted) return;
    this.#batch.push(event);
    if (this.#batch.length >= largestBatch) this.#state = this.state;
    this.#changed();
  }

  #changed(): void {
    if (this.#closed) return;
    this.#cancelFrame ??= this.#options.ports.frame(() => {
      this.#cancelFrame = null;
      this.#listeners.notify();
    });
  }
}

/**
 * Whether the part of the log that was read does not say where the conversation stands: it holds
 * nothing that the person said, or not the calls that wait for them.
 */
function lacksStory({ entries, stopReason }: ConversationState): boolean {
  const waiting = (stopReason?.type === 'requires_action' && stopReason.event_ids) || [];
  return (
    entries.every(({ kind }) => kind !== 'user') ||
    waiting.some((id) => entries.every((entry) => entry.id !== id))
  );
}

function closedError(): InlayError {
  return new InlayError('CLOSED', 'The conversation was closed. Open it again to go on.');
}
