import {
  type Allowance,
  type DeltaType,
  type Feedback,
  idPrefix,
  type ReadContent,
  type Session,
  textOf,
} from '@inlay/protocol';
import { Branches, currentBranch } from '@inlay/protocol/branches';
import type { Clock } from '../../ports.ts';
import type { Ids } from './ids.ts';
import { Part } from './part.ts';
import { iso } from './tokens.ts';

/** An event of the log. Its further fields depend on its type. */
export interface LoggedEvent {
  readonly type: string;
  readonly id: string;
  /** RFC 3339. */
  readonly processed_at: string;
  /** Its place in the log, from 1. */
  readonly seq: number;
  readonly [field: string]: unknown;
}

/** An event before it is in the log. */
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

/** What follows a session as it goes on: a stream, or a request that waits for an event. */
export interface SessionReader {
  /** Types whose fragments it wants. */
  readonly deltas: ReadonlySet<string>;
  /** `id` is that of the SSE frame. */
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
  /** What the person has used up that is not this session's own. */
  readonly allowances: () => readonly Allowance[];
  /** Told of what a person sent, when it is in the log. */
  readonly onInput: (session: ScriptedSession, events: readonly LoggedEvent[]) => void;
}

/**
 * One conversation on the scripted platform: its log, and who follows it. A test may write into it
 * by hand, beside the script or instead of one.
 */
export class ScriptedSession {
  readonly id: string;
  /** The end user whose it is. */
  readonly user: string;
  title: string | null;
  metadata: Readonly<Record<string, string>>;
  archivedAt: number | null = null;
  /** Cents that were spent. */
  spent = 0;
  /** What the person thinks of answers, by their ids. */
  readonly feedback = new Map<string, Feedback>();
  /** Which branches its messages make. */
  readonly branches = new Branches();
  readonly #options: SessionOptions;
  readonly #log: LoggedEvent[] = [];
  readonly #readers = new Set<SessionReader>();
  readonly #createdAt: number;
  #updatedAt: number;
  #activeAt: number;
  #live: Part | null = null;
  /** Fragments since the last event of the log. */
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

  /** Everything that happened, oldest first. */
  get log(): readonly LoggedEvent[] {
    return this.#log;
  }

  /** How many streams and waiting requests follow it just now. */
  get readers(): number {
    return this.#readers.size;
  }

  /** Whether the log says that a run goes on. */
  get running(): boolean {
    const last = this.#log.findLast(({ type }) => type.startsWith('session.status_'));
    return last?.type === 'session.status_running' || last?.type === 'session.status_rescheduled';
  }

  /** Whether it is over for good. */
  get terminated(): boolean {
    return this.#log.some(({ type }) => type === terminated);
  }

  /** When something was said last, in milliseconds since the epoch. */
  get activeAt(): number {
    return this.#activeAt;
  }

  /** Whether its budget is spent. */
  get overBudget(): boolean {
    const { budgetCents } = this.#options;
    return budgetCents !== null && this.spent >= budgetCents;
  }

  /** Puts events into the log, and sends them to everyone who follows. Returns them as they are. */
  append(...drafts: readonly EventDraft[]): LoggedEvent[] {
    return drafts.map((draft) => this.#write(draft));
  }

  /** Sends what only a stream carries, such as `event_delta`. It leaves no trace in the log. */
  live(event: { readonly type: string; readonly [field: string]: unknown }): void {
    this.#fragment += 1;
    for (const reader of this.#readers) reader.event(event, this.#position);
  }

  /** The person says something, as from another tab or device. The script answers it. */
  ask(text: string): void {
    this.input({ type: 'user.message', content: [{ type: 'text', text }] });
  }

  /** What a person sent: into the log, and to whoever answers. */
  input(...drafts: readonly EventDraft[]): LoggedEvent[] {
    const events = this.append(...drafts);
    this.#options.onInput(this, events);
    return events;
  }

  /** The agent says something: its beginning, its text live, and the event that stays. */
  say(text: string): void {
    const part = this.start();
    part.add(text);
    part.finish();
  }

  /** The agent begins to say (or think) something, which the test goes on with. */
  start(type: DeltaType = 'agent.message'): Part {
    const id = this.#options.ids.next(idPrefix.event);
    const part = new Part(
      { id, type },
      {
        deliver: (event) => this.#deliver(type, event),
        append: (event) => void this.append(event),
      },
    );
    this.#live = part;
    return part;
  }

  /** A run begins. */
  begin(): void {
    this.append({ type: 'session.status_running' });
  }

  /** A run ends. `reason` is the type of its stop reason; `end_turn` by default. */
  end(reason = 'end_turn', eventIds?: readonly string[]): void {
    const stop_reason = { type: reason, ...(eventIds && { event_ids: eventIds }) };
    const { budgetCents, allowances } = this.#options;
    const own = budgetCents === null ? [] : [shareOf(this.spent, budgetCents)];
    const told = [...own, ...allowances()];
    this.append({
      type: 'session.status_idle',
      stop_reason,
      ...(told.length > 0 && { allowances: told }),
    });
  }

  /** Ends the conversation for good, as your backend or a tool may. `reason` is for the person. */
  terminate(reason: string | null = null): void {
    if (this.terminated) return;
    this.input({ type: 'user.interrupt' });
    this.append({ type: terminated, reason });
  }

  /** The log without what was said, and answered, in other branches than the one it is on. */
  currentBranch(): LoggedEvent[] {
    return currentBranch(this.#log);
  }

  /** An id for an event that has to be known before it is in the log. */
  nextId(): string {
    return this.#options.ids.next(idPrefix.event);
  }

  /** Takes in who follows: everything after `seq`, what is being said, and then all that comes. */
  join(reader: SessionReader, seq: number): () => void {
    for (const event of this.#log.slice(seq)) reader.event(event, String(event.seq));
    for (const event of this.#live?.soFar() ?? []) {
      if (this.#live && reader.deltas.has(this.#live.type)) reader.event(event, this.#position);
    }
    this.#readers.add(reader);
    return () => void this.#readers.delete(reader);
  }

  /** Ends what follows it, because it is deleted. */
  delete(): void {
    this.append({ type: 'session.deleted' });
    for (const reader of [...this.#readers]) reader.end();
  }

  /** As the wire shows it. */
  toObject(): Session {
    const { agent, budgetCents } = this.#options;
    const reason = this.#log.find(({ type }) => type === terminated)?.reason;
    const statuses = this.#log.map(({ type }) => /^session\.status_(.*)/.exec(type)?.[1]);
    return {
      type: 'session',
      id: this.id,
      agent,
      status: statuses.findLast(Boolean) ?? 'idle',
      title: this.title,
      preview: this.#preview,
      metadata: { ...this.metadata },
      budget: budgetCents === null ? null : { limit_cents: budgetCents, spent_cents: this.spent },
      usage: { input_tokens: 0, output_tokens: 0, spent_cents: this.spent },
      created_at: iso(this.#createdAt),
      updated_at: iso(this.#updatedAt),
      archived_at: this.archivedAt === null ? null : iso(this.archivedAt),
      terminated_reason: reason === undefined ? null : (reason as string | null),
    };
  }

  get #preview(): string | null {
    const first = this.#log.find(({ type }) => type === 'user.message');
    return first ? textIn(first).slice(0, 200) : null;
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
      processed_at: iso(clock.now()),
      seq: this.#log.length + 1,
      // A message that a test wrote by hand follows the one before it.
      ...(type === 'user.message' && { parent_id: this.branches.head }),
      ...fields,
    };
    this.#log.push(event);
    this.branches.add(event);
    if (activities.has(type)) this.#activeAt = clock.now();
    this.#fragment = 0;
    // A status ends whatever was being said: nobody will finish it under this id.
    if (event.id === this.#live?.id || type.startsWith('session.status_')) this.#live = null;
    for (const reader of [...this.#readers]) reader.event(event, this.#position);
    return event;
  }

  #deliver(type: DeltaType, event: { readonly type: string }): void {
    this.#fragment += 1;
    for (const reader of this.#readers) {
      if (reader.deltas.has(type)) reader.event(event, this.#position);
    }
  }
}

const terminated = 'session.status_terminated';
const activities = new Set(['user.message', 'user.card_action', 'agent.message', 'agent.card']);

function shareOf(spent: number, budget: number): Allowance {
  return { type: 'session', used: budget > 0 ? Math.min(1, spent / budget) : 1, resets_at: null };
}
