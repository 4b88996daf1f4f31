import type { Kysely, Transaction } from 'kysely';
import type { Blobs } from './blobs.ts';
import type { Schema } from './schema.ts';

/**
 * The way to the data. One schema and one set of queries, whatever the engine: what SQLite lacks,
 * such as row locks, it does not need, because its writers stand in one line; the statement is left
 * out there (see `sqlite-store.ts`).
 *
 * Who reads a row in order to decide what to write takes a lock on it (`forUpdate`, or `forShare`
 * where it only has to stay as it is), or writes on a condition. Where there is no row yet, it is a
 * name that is locked. The order is always the same, so that no two wait for each other: names, a
 * session, files, an issuance, a run, what counts a day.
 */
export interface Store {
  readonly db: Kysely<Schema>;
  /** The bytes of uploaded files. */
  readonly blobs: Blobs;
  /**
   * All of it or nothing. Where the engine gave it up because of others, it is done again, up to
   * five times: so `work` changes nothing but the store, or bears being repeated.
   */
  transaction<Result>(work: (transaction: Transaction<Schema>) => Promise<Result>): Promise<Result>;
  /** Whoever else locks one of these names waits until the transaction is over. */
  lock(transaction: Transaction<Schema>, ...names: readonly string[]): Promise<void>;
  /**
   * The same data, for calls that must not wait for others: on PostgreSQL by connections of its own.
   * The embedded store has one connection for everything.
   */
  readonly priority: Pick<Store, 'db' | 'transaction' | 'lock'>;
  /** Whether the last write failed because the disk is full. Reads still work. */
  isFull(): boolean;
  /** Writes what is pending and closes. Twice is fine. */
  close(): Promise<void>;
}

/** The name to lock where something concerns all that there is of one end user. */
export function endUserLock(user: { agentId: string; externalUserId: string }): string {
  return `end_user:${user.agentId}:${user.externalUserId}`;
}
