import {
  type Allowance,
  type DeltaType,
  type Feedback,
  idPrefix,
  type ReadContent,
  type Session,
  type StopReason,
  textOf,
} from '@inlay/protocol';
import { Branches, currentBranch } from '@inlay/protocol/branches';
import type { Clock } from '../../ports.ts';
import type { Ids } from './ids.ts';
import { StreamedOutput } from './streamed-output.ts';
import { toIsoString } from './tokens.ts';

/** An event of the log. Its other fields depend on the type. */
export interface LoggedEvent {
  readonly type: string;
  readonly id: string;
  /** RFC 3339. */
  readonly processed_at: string;
  /** Position in the log, from 1. */
  readonly seq: number;
  readonly [field: string]: unknown;
}

/** An event before it is logged. */
export interface EventDraft {
  readonly type: string;
  /** Default: the next of `evt_1`, `evt_2`, … */
  readonly id?: string;
  readonly [field: string]: unknown;
}

/** Returns the text of a logged message. */
export function textIn({ content }: LoggedEvent): string {
  return Array.isArray(content) ? textOf(content as ReadContent) : '';
}

/** A reader of new events: a stream or a long poll. */
export interface SessionReader {
  /** Event types whose fragments it requests. */
  readonly deltas: ReadonlySet<string>;
  /** @param id Id of the SSE frame. */
  event(event: { readonly type: string }, id: string): void;
  end(): void;
}

export interface SessionOptions {
  readonly id: string;
  readonly user: string;
  readonly agent: Session['agent'];
  readonly budgetCents: number | null;
  readonly title: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Returns the user's allowances, except that of the session. */
  readonly allowances: () => readonly Allowance[];
  /** Called after events of the user were logged. */
  readonly onInput: (session: ScriptedSession, events: readonly LoggedEvent[]) => void;
}

/**
 * A session of the scripted platform, with its log and readers. A test may append events in addition to
 * the script or instead of it.
 */
export class ScriptedSession {
  readonly id: string;
  /** Id of the end user. */
  user: string;
  title: string | null;
  metadata: Readonly<Record<string, string>>;
  archivedAt: number | null = null;
  /** Used budget in cents. */
  spent = 0;
  /** Feedback by event id. */
  readonly feedback = new Map<string, Feedback>();
  /** The branches of its messages. */
  readonly branches = new Branches();
  readonly #options: SessionOptions;
  readonly #log: LoggedEvent[] = [];
  readonly #readers = new Set<SessionReader>();
  readonly #createdAt: number;
  #updatedAt: number;
  #activeAt: number;
  #openOutput: StreamedOutput | null = null;
  /** Number of fragments since the last event of the log. */
  #fragment = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.id = options.id;
    this.user = options.user;
    this.title = options.title;
    this.metadata = options.metadata;
    this.#createdAt = options.clock.now();
    this.#updatedAt = this.#createdAt;
    this.#activeAt = this.#createdAt;
  }

  /** All events, oldest first. */
  get log(): readonly LoggedEvent[] {
    return this.#log;
  }

  /** Number of open streams and long polls. */
  get readers(): number {
    return this.#readers.size;
  }

  /** Whether a run is in progress. */
  get running(): boolean {
    const last = this.#log.findLast(({ type }) => type.startsWith('session.status_'));
    return last?.type === 'session.status_running' || last?.type === 'session.status_rescheduled';
  }

  /** Whether it is terminated. */
  get terminated(): boolean {
    return this.#log.some(({ type }) => type === terminatedType);
  }

  /** Time of the last message, in milliseconds since the epoch. */
  get activeAt(): number {
    return this.#activeAt;
  }

  /** Whether its budget is used up. */
  get overBudget(): boolean {
    const { budgetCents } = this.#options;
    return budgetCents !== null && this.spent >= budgetCents;
  }

  /** Appends events to the log, and streams them. Returns the logged events. */
  append(...drafts: readonly EventDraft[]): LoggedEvent[] {
    return drafts.map((draft) => this.#write(draft));
  }

  /** Streams an event that is not logged, such as `event_delta`. */
  live(event: { readonly type: string; readonly [field: string]: unknown }): void {
    this.#fragment += 1;
    for (const reader of this.#readers) reader.event(event, this.#position);
  }

  /** Sends a message of the user, as from another device. The script answers it. */
  ask(text: string): void {
    this.input({ type: 'user.message', content: [{ type: 'text', text }] });
  }

  /** Logs events of the user, and passes them to the script. */
  input(...drafts: readonly EventDraft[]): LoggedEvent[] {
    const events = this.append(...drafts);
    this.#options.onInput(this, events);
    return events;
  }

  /** Streams and logs an agent message. */
  say(text: string): void {
    const output = this.start();
    output.add(text);
    output.finish();
  }

  /** Begins an agent message or thinking. The caller adds text to the returned output and finishes it. */
  start(type: DeltaType = 'agent.message'): StreamedOutput {
    const id = this.#options.ids.next(idPrefix.event);
    const output = new StreamedOutput(
      { id, type },
      {
        stream: (event) => this.#stream(type, event),
        append: (event) => void this.append(event),
      },
    );
    this.#openOutput = output;
    return output;
  }

  /** Begins a run. */
  begin(): void {
    this.append({ type: 'session.status_running' });
  }

  /** Ends a run. `reason` is the type of its stop reason; `end_turn` by default. */
  end(reason = 'end_turn', eventIds?: readonly string[]): void {
    const stop_reason = { type: reason, ...(eventIds && { event_ids: eventIds }) };
    const { budgetCents, allowances } = this.#options;
    const sessionAllowances =
      budgetCents === null ? [] : [sessionAllowance(this.spent, budgetCents)];
    const combined = [...sessionAllowances, ...allowances()];
    this.append({
      type: 'session.status_idle',
      stop_reason,
      ...(combined.length > 0 && { allowances: combined }),
    });
  }

  /** Terminates the session, as your backend or a tool may. `reason` is shown to the user. */
  terminate(reason: string | null = null): void {
    if (this.terminated) return;
    this.input({ type: 'user.interrupt' });
    this.append({ type: terminatedType, reason });
  }

  /** Returns the events of the current branch. */
  currentBranch(): LoggedEvent[] {
    return currentBranch(this.#log);
  }

  /** Reserves the id of a future event. */
  nextId(): string {
    return this.#options.ids.next(idPrefix.event);
  }

  /**
   * Adds a reader, which receives the events after `seq`, the open output, and all new events.
   *
   * @returns A function that removes the reader.
   */
  addReader(reader: SessionReader, seq: number): () => void {
    for (const event of this.#log.slice(seq)) reader.event(event, String(event.seq));
    for (const event of this.#openOutput?.eventsSoFar() ?? []) {
      if (this.#openOutput && reader.deltas.has(this.#openOutput.type))
        reader.event(event, this.#position);
    }
    this.#readers.add(reader);
    return () => void this.#readers.delete(reader);
  }

  /** Deletes the session, and ends its readers. */
  delete(): void {
    this.append({ type: 'session.deleted' });
    for (const reader of [...this.#readers]) reader.end();
  }

  /** Returns the session as in the API's responses. */
  toObject(): Session {
    const { agent, budgetCents } = this.#options;
    const reason = this.#log.find(({ type }) => type === terminatedType)?.reason;
    const lastStatus = this.#log.findLast(({ type }) => type.startsWith('session.status_'));
    return {
      type: 'session',
      id: this.id,
      agent,
      status: lastStatus?.type.replace('session.status_', '') ?? 'idle',
      title: this.title,
      preview: this.#startOf(this.#log.find(({ type }) => type === 'user.message')),
      last_message: this.#startOf(
        this.#log.findLast(({ type }) => type === 'user.message' || type === 'agent.message'),
      ),
      active_at: toIsoString(this.#activeAt),
      requires_action:
        (lastStatus?.stop_reason as StopReason | undefined)?.type === 'requires_action',
      metadata: { ...this.metadata },
      budget: budgetCents === null ? null : { limit_cents: budgetCents, spent_cents: this.spent },
      usage: { input_tokens: 0, output_tokens: 0, spent_cents: this.spent },
      created_at: toIsoString(this.#createdAt),
      updated_at: toIsoString(this.#updatedAt),
      archived_at: this.archivedAt === null ? null : toIsoString(this.archivedAt),
      terminated_reason: reason === undefined ? null : (reason as string | null),
    };
  }

  #startOf(event: LoggedEvent | undefined): string | null {
    return event ? textIn(event).slice(0, 140) : null;
  }

  get #position(): string {
    const seq = this.#log.length;
    return this.#fragment === 0 ? `${seq}` : `${seq}.${this.#fragment}`;
  }

  #write({ type, id, ...fields }: EventDraft): LoggedEvent {
    const { clock, ids } = this.#options;
    this.#updatedAt = clock.now();
    const event: LoggedEvent = {
      type,
      id: id ?? ids.next(idPrefix.event),
      processed_at: toIsoString(clock.now()),
      seq: this.#log.length + 1,
      // By default, a message continues the current branch.
      ...(type === 'user.message' && { parent_id: this.branches.head }),
      ...fields,
    };
    this.#log.push(event);
    this.branches.add(event);
    if (activityTypes.has(type)) this.#activeAt = clock.now();
    this.#fragment = 0;
    // A change of status ends the open output.
    if (event.id === this.#openOutput?.id || type.startsWith('session.status_'))
      this.#openOutput = null;
    for (const reader of [...this.#readers]) reader.event(event, this.#position);
    return event;
  }

  #stream(type: DeltaType, event: { readonly type: string }): void {
    this.#fragment += 1;
    for (const reader of this.#readers) {
      if (reader.deltas.has(type)) reader.event(event, this.#position);
    }
  }
}

const terminatedType = 'session.status_terminated';
const activityTypes = new Set(['user.message', 'user.card_action', 'agent.message', 'agent.card']);

function sessionAllowance(spent: number, budget: number): Allowance {
  return { type: 'session', used: budget > 0 ? Math.min(1, spent / budget) : 1, resets_at: null };
}
