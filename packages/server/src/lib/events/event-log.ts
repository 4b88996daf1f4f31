import { idPrefix, type LogEvent } from '@inlay/protocol';
import type { Kysely, Transaction } from 'kysely';
import type { Bus } from '../bus/bus.ts';
import { type Clock, isoTime } from '../clock.ts';
import type { Limits } from '../config/limits.ts';
import { notFound } from '../problems/api-error.ts';
import { newId, type Random } from '../random.ts';
import type { ServiceOptions } from '../service-options.ts';
import { prepare, prepareInsert } from '../store/prepared.ts';
import type { Schema } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { countEvents, type UsageOwner } from '../usage/count-usage.ts';
import { sessionWebhooks } from '../webhooks/session-webhooks.ts';
import type { WebhookOutbox } from '../webhooks/webhook-outbox.ts';
import type { EventDraft } from './event-draft.ts';
import { type LockedSession, lockSession } from './lock-session.ts';
import { type SessionChanges, updateSessionRow } from './update-session-row.ts';

/** Options of `EventLog.append`. */
export interface AppendOptions {
  /**
   * `seq` of the last event that the writer has read. If the log has newer events, `append` rejects.
   */
  readonly expectedSeq?: number | undefined;
  /** The session that `within` creates. Without it, a session that is missing rejects the events. */
  readonly newSession?: UsageOwner;
  /** Further writes in the same transaction. Returns changes of the session's row, if any. */
  readonly within?:
    | ((
        transaction: Transaction<Schema>,
        events: readonly LogEvent[],
        session: LockedSession | null,
      ) => Promise<SessionChanges | undefined>)
    | undefined;
}

/**
 * The events to append, or a function that computes them inside the transaction. The session is null
 * if the transaction creates it.
 */
export type Drafts =
  | readonly EventDraft[]
  | ((
      transaction: Transaction<Schema>,
      session: LockedSession | null,
    ) => Promise<readonly EventDraft[]>);

/** The log has events after `expectedSeq`. */
export class LogChangedError extends Error {
  override readonly name = 'LogChangedError';
}

const findEvents = prepare((db) =>
  db
    .selectFrom('events')
    .select('json')
    .where('session_id', '=', '')
    .where('seq', '>', 0)
    .orderBy('seq'),
);

/** Maximum number of events in one page, however short the events are. */
const maximumPageLength = 200;

/** Reads the next events whose JSON has at most a given number of bytes in total, but at least one. */
const findPage = prepare((db) => {
  const sizes = db
    .selectFrom('events')
    .select(({ fn }) => ['seq', fn<number>('octet_length', ['json']).as('bytes')])
    .where('session_id', '=', '')
    .where('seq', '>', 0)
    .orderBy('seq')
    .limit(maximumPageLength);
  const sums = db.selectFrom(sizes.as('sizes')).select(({ fn }) => [
    'seq',
    'bytes',
    fn
      .sum<number>('bytes')
      .over((window) => window.orderBy('seq'))
      .as('total'),
  ]);
  const lastOfPage = db
    .selectFrom(sums.as('sums'))
    .select(({ fn }) => fn.max('seq').as('seq'))
    .where(({ or, eb, ref }) => or([eb('total', '<=', 0), eb('total', '=', ref('bytes'))]));
  return db
    .selectFrom('events')
    .select('json')
    .where('session_id', '=', '')
    .where('seq', '>', 0)
    .where('seq', '<=', lastOfPage)
    .orderBy('seq');
});

const findLastSeq = prepare((db) =>
  db
    .selectFrom('events')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .where('session_id', '=', ''),
);

/** The event logs of all sessions. Events are committed to the store before they are published. */
export class EventLog {
  readonly #store: Store;
  readonly #bus: Bus;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #limits: Limits;
  readonly #webhooks: WebhookOutbox;

  constructor(
    deps: Pick<ServiceOptions, 'store' | 'bus' | 'clock' | 'random' | 'config'> & {
      readonly webhooks: WebhookOutbox;
    },
  ) {
    this.#store = deps.store;
    this.#bus = deps.bus;
    this.#clock = deps.clock;
    this.#random = deps.random;
    this.#limits = deps.config.limits;
    this.#webhooks = deps.webhooks;
  }

  newEventId(): string {
    return newId(this.#random, idPrefix.event);
  }

  /**
   * Appends all events or none, updates the session's status, and publishes the events on the bus.
   *
   * @param drafts May be empty. A function is called inside the transaction, while the session is
   *   locked, and again if the transaction is retried.
   * @throws `NOT_FOUND` if the session does not exist; `LogChangedError` if `options.expectedSeq` is
   *   outdated.
   */
  async append(
    sessionId: string,
    drafts: Drafts,
    options: AppendOptions = {},
  ): Promise<LogEvent[]> {
    const { events, endpointIds } = await this.#store.transaction(async (transaction) => {
      // Serializes the writers of a session, so that the last `seq` stays valid until the commit. A
      // writer that has locked nothing must not insert: it and the removal of the rows would deadlock.
      const session = options.newSession ? null : await lockSession(transaction, sessionId);
      if (!session && !options.newSession) throw notFound('This session was deleted.');
      return this.#write(transaction, sessionId, session, drafts, options);
    });
    await this.publish(sessionId, events);
    this.#webhooks.deliver(endpointIds);
    return events;
  }

  /** Publishes events that `write` has returned, after the commit of its transaction. */
  async publish(sessionId: string, events: readonly LogEvent[]): Promise<void> {
    if (events.length > 0) await this.#bus.publish({ kind: 'session_events', sessionId, events });
  }

  /** Reads all events after the `seq`, oldest first. */
  async read(
    sessionId: string,
    { after }: { after: number },
    db: Kysely<Schema> = this.#store.db,
  ): Promise<LogEvent[]> {
    const rows = await findEvents(db, sessionId, after);
    return rows.map((row) => parseStored(row.json));
  }

  /**
   * Reads the next events, oldest first: as many as fit into `bytes`, and at least one if there is
   * any.
   *
   * @param page.after `seq` of the last event before the page.
   * @param page.bytes UTF-8 bytes of the events' JSON.
   */
  async readPage(
    sessionId: string,
    { after, bytes }: { after: number; bytes: number },
  ): Promise<LogEvent[]> {
    const parameters = [sessionId, after] as const;
    const rows = await findPage(
      this.#store.db,
      ...parameters,
      ...parameters,
      maximumPageLength,
      bytes,
    );
    return rows.map((row) => parseStored(row.json));
  }

  /** Reads the events with these `seq`, oldest first. */
  async readAt(sessionId: string, seqs: readonly number[]): Promise<LogEvent[]> {
    if (seqs.length === 0) return [];
    const rows = await this.#store.db
      .selectFrom('events')
      .select('json')
      .where('session_id', '=', sessionId)
      .where('seq', 'in', seqs)
      .orderBy('seq')
      .execute();
    return rows.map((row) => parseStored(row.json));
  }

  /** The `seq` of the last event; 0 for a session without events. */
  async lastSeq(sessionId: string): Promise<number> {
    const [row] = await findLastSeq(this.#store.db, sessionId);
    return Number(row?.seq ?? 0);
  }

  /**
   * Appends events in a transaction that has locked the session. The caller publishes them.
   *
   * @param session The locked session; null if the transaction creates it.
   * @throws `LogChangedError` if `options.expectedSeq` is outdated.
   */
  async write(
    transaction: Transaction<Schema>,
    sessionId: string,
    session: LockedSession | null,
    drafts: Drafts,
    options: AppendOptions = {},
  ): Promise<LogEvent[]> {
    return (await this.#write(transaction, sessionId, session, drafts, options)).events;
  }

  /** Returns the events, and the ids of the webhook endpoints that receive them. */
  async #write(
    transaction: Transaction<Schema>,
    sessionId: string,
    session: LockedSession | null,
    drafts: Drafts,
    options: AppendOptions,
  ): Promise<{ events: LogEvent[]; endpointIds: readonly string[] }> {
    const now = this.#clock.now();
    const lastSeq = Number(session?.last_seq ?? 0);
    if (options.expectedSeq !== undefined && options.expectedSeq !== lastSeq) {
      throw new LogChangedError();
    }
    const resolvedDrafts =
      typeof drafts === 'function' ? await drafts(transaction, session) : drafts;
    const events = resolvedDrafts.map(
      (draft, index) =>
        ({
          ...draft,
          id: draft.id ?? this.newEventId(),
          processed_at: isoTime(now),
          seq: lastSeq + index + 1,
        }) as LogEvent,
    );
    const bytes = events.length > 0 ? await this.#insert(transaction, sessionId, events, now) : 0;
    const changes = (await options.within?.(transaction, events, session)) ?? {};
    // Must run after `within`, which may create the session's row.
    const owner = session ?? options.newSession;
    if (events.length > 0 && owner) {
      const searchLimit = this.#limits.session.search_text_characters;
      await updateSessionRow(transaction, sessionId, events, {
        now,
        bytes,
        searchLimit,
        changes,
        owner,
        outcome: session?.outcome ?? null,
      });
    }
    const endpointIds = owner
      ? await this.#webhooks.record(transaction, () =>
          sessionWebhooks(sessionId, owner, events, session === null),
        )
      : [];
    if (owner) await countEvents(transaction, owner, session, events, now);
    return { events, endpointIds };
  }

  /** Inserts the events, and returns the UTF-8 length of their JSON in bytes. */
  async #insert(
    transaction: Transaction<Schema>,
    sessionId: string,
    events: readonly LogEvent[],
    now: number,
  ): Promise<number> {
    const rows = events.map((event) => ({
      session_id: sessionId,
      seq: event.seq,
      id: event.id,
      type: event.type,
      json: JSON.stringify(event),
      processed_at: now,
    }));
    await insertEvents(transaction, rows);
    return rows.reduce((bytes, { json }) => bytes + Buffer.byteLength(json), 0);
  }
}

const insertEvents = prepareInsert('events', [
  'session_id',
  'seq',
  'id',
  'type',
  'json',
  'processed_at',
]);

/** Parses stored JSON without validation: only `append` writes to the table. */
export function parseStored(json: string): LogEvent {
  return JSON.parse(json) as LogEvent;
}
