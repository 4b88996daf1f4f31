import { idPrefix, type LogEvent } from '@inlay/protocol';
import type { Kysely, Transaction } from 'kysely';
import type { Bus } from '../bus/bus.ts';
import { type Clock, isoTime } from '../clock.ts';
import type { Limits } from '../config/limits.ts';
import { notFound } from '../problems/api-error.ts';
import { newId, type Random } from '../random.ts';
import type { ServiceOptions } from '../service-options.ts';
import { prepare, prepareBySize } from '../store/prepared.ts';
import type { Schema } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import type { EventDraft } from './event-draft.ts';
import { lockSession } from './lock-session.ts';
import { updateSessionRow } from './update-session-row.ts';

/** Options of `EventLog.append`. */
export interface AppendOptions {
  /**
   * `seq` of the last event that the writer has read. If the log has newer events, `append` rejects.
   */
  readonly expectedSeq?: number | undefined;
  /** Whether `within` creates the session. Without it, a session that is missing rejects the events. */
  readonly isNewSession?: boolean;
  /** Further writes in the same transaction. */
  readonly within?: (
    transaction: Transaction<Schema>,
    events: readonly LogEvent[],
  ) => Promise<void>;
}

/** The events to append, or a function that computes them inside the transaction. */
export type Drafts =
  | readonly EventDraft[]
  | ((transaction: Transaction<Schema>) => Promise<readonly EventDraft[]>);

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
  readonly #findLastSeqs: ReturnType<typeof prepareLastSeqs>;

  constructor(deps: Pick<ServiceOptions, 'store' | 'bus' | 'clock' | 'random' | 'config'>) {
    this.#store = deps.store;
    this.#bus = deps.bus;
    this.#clock = deps.clock;
    this.#random = deps.random;
    this.#limits = deps.config.limits;
    this.#findLastSeqs = prepareLastSeqs(deps.store.db);
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
    const events = await this.#store.transaction((transaction) =>
      this.#write(transaction, sessionId, drafts, options),
    );
    if (events.length > 0) {
      await this.#bus.publish({ kind: 'session_events', sessionId, events });
    }
    return events;
  }

  /** Reads all events after the `seq`, oldest first. */
  async read(sessionId: string, { after }: { after: number }): Promise<LogEvent[]> {
    const rows = await findEvents(this.#store.db, sessionId, after);
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

  /** The `seq` of the last event by session id, without sessions that have no events. */
  async lastSeqs(sessionIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.#findLastSeqs(this.#store.db, sessionIds);
    return new Map(rows.map(({ session_id, seq }) => [session_id, Number(seq)]));
  }

  async #write(
    transaction: Transaction<Schema>,
    sessionId: string,
    drafts: Drafts,
    options: AppendOptions,
  ): Promise<LogEvent[]> {
    // Serializes the writers of a session, so that the last `seq` stays valid until the commit. A
    // writer that has locked nothing must not insert: it and the removal of the rows would deadlock.
    if (!options.isNewSession && !(await lockSession(transaction, sessionId))) {
      throw notFound('This session was deleted.');
    }
    const now = this.#clock.now();
    const [last] = await findLastSeq(transaction, sessionId);
    const lastSeq = Number(last?.seq ?? 0);
    if (options.expectedSeq !== undefined && options.expectedSeq !== lastSeq) {
      throw new LogChangedError();
    }
    const resolvedDrafts = typeof drafts === 'function' ? await drafts(transaction) : drafts;
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
    await options.within?.(transaction, events);
    // Must run after `within`, which may create the session's row.
    if (events.length > 0) {
      const searchLimit = this.#limits.session.search_text_characters;
      await updateSessionRow(transaction, sessionId, events, { now, bytes, searchLimit });
    }
    return events;
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
    await transaction.insertInto('events').values(rows).execute();
    return rows.reduce((bytes, { json }) => bytes + Buffer.byteLength(json), 0);
  }
}

function prepareLastSeqs(db: Kysely<Schema>) {
  return prepareBySize(
    (size) =>
      db
        .selectFrom('events')
        .select(({ fn }) => ['session_id', fn.max('seq').as('seq')])
        .where('session_id', 'in', Array<string>(size).fill(''))
        .groupBy('session_id'),
    (sessionIds: readonly string[]) => sessionIds,
  );
}

/** Parses stored JSON without validation: only `append` writes to the table. */
export function parseStored(json: string): LogEvent {
  return JSON.parse(json) as LogEvent;
}
