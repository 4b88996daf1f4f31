import type { LogEvent, LogEventType } from '@inlay/protocol';
import { type SqlBool, sql, type Transaction } from 'kysely';
import { prepare } from '../store/prepared.ts';
import type { Schema } from '../store/schema.ts';
import { parseStored } from './event-log.ts';

/** Types of the events that settle every earlier pending call. */
const settlingTypes: readonly LogEventType[] = [
  'user.message',
  'user.card_action',
  'user.interrupt',
];

/** Types of the events that other events refer to. */
const foundTypes = [
  'agent.card',
  'agent.custom_tool_use',
  'agent.message',
  'agent.tool_use',
  'user.message',
] as const satisfies readonly LogEventType[];
type FoundType = (typeof foundTypes)[number];

/** The condition of the index `events_by_id`, as literals, because it is a partial index. */
export const isFoundType = (column: string) =>
  sql<SqlBool>`${sql.ref(column)} in (${sql.join(foundTypes.map((type) => sql.lit(type)))})`;

const findById = prepare((db) =>
  db
    .selectFrom('events')
    .select('json')
    .where('session_id', '=', '')
    .where('id', '=', '')
    .where(isFoundType('type'))
    .where('type', '=', ''),
);

/**
 * Queries of a session's log inside a transaction. Each reads only the events that it needs, so that
 * the cost of a request does not grow with the length of the log.
 */
export class LogQueries {
  readonly #transaction: Transaction<Schema>;
  readonly #sessionId: string;

  constructor(transaction: Transaction<Schema>, sessionId: string) {
    this.#transaction = transaction;
    this.#sessionId = sessionId;
  }

  /** The type of the last event; null for an empty log. */
  async lastType(): Promise<LogEventType | null> {
    const row = await this.#events()
      .select('type')
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row ? (row.type as LogEventType) : null;
  }

  async hasMessage(id: string): Promise<boolean> {
    return (await this.find(id, 'user.message')) !== undefined;
  }

  /** The event with this id and type, or undefined. */
  async find<Type extends FoundType>(id: string, type: Type): Promise<LogEvent<Type> | undefined> {
    const [row] = await findById(this.#transaction, this.#sessionId, id, type);
    return row && (parseStored(row.json) as LogEvent<Type>);
  }

  /** Whether a message, a card action or an interrupt of the user follows this `seq`. */
  async isSettledAfter(seq: number): Promise<boolean> {
    const row = await this.#events()
      .select('seq')
      .where('type', 'in', settlingTypes)
      .where('seq', '>', seq)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Events of these types after `seq`, oldest first. */
  async after(seq: number, types: readonly LogEventType[]): Promise<LogEvent[]> {
    const rows = await this.#events()
      .select('json')
      .where('type', 'in', types)
      .where('seq', '>', seq)
      .orderBy('seq')
      .execute();
    return rows.map(({ json }) => parseStored(json));
  }

  /** Whether a run is active or queued, or a call is pending. */
  async isInterruptible(): Promise<boolean> {
    const run = await this.#transaction
      .selectFrom('runs')
      .select('id')
      .where('session_id', '=', this.#sessionId)
      .executeTakeFirst();
    if (run) return true;
    const row = await this.#events()
      .select('json')
      .where('type', '=', 'session.status_idle')
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst();
    const idle = row && parseStored(row.json);
    return idle?.type === 'session.status_idle' && idle.stop_reason.type === 'requires_action';
  }

  #events() {
    return this.#transaction.selectFrom('events').where('session_id', '=', this.#sessionId);
  }
}
