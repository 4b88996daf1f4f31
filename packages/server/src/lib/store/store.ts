import type { Kysely, RawBuilder, Transaction } from 'kysely';
import type { Blobs } from './blobs.ts';
import type { Schema } from './schema.ts';

/**
 * Access to the database, with one schema and one set of queries for both engines. Row locks are
 * omitted on SQLite, which serializes write transactions (see `sqlite-store.ts`).
 *
 * Code that reads a row to decide what to write locks the row (`forUpdate`, or `forShare` if the
 * row must only stay unchanged), or writes conditionally. If there is no row yet, the code locks a
 * name. To avoid deadlocks, the order of locks is always: names, a session, files, an issuance, a
 * run, daily counters.
 */
export interface Store {
  readonly db: Kysely<Schema>;
  /** The contents of uploaded files. */
  readonly blobs: Blobs;
  /**
   * Runs `work` in a transaction. Retries it if the database aborts the transaction because of a
   * conflict, up to five attempts in total, so `work` must be safe to repeat.
   */
  transaction<Result>(work: (transaction: Transaction<Schema>) => Promise<Result>): Promise<Result>;
  /** The time of the database as an SQL expression, in milliseconds since the epoch. */
  now(): RawBuilder<number>;
  /** Locks names until the transaction ends. */
  lock(transaction: Transaction<Schema>, ...names: readonly string[]): Promise<void>;
  /**
   * Access for operations that must not wait for a free connection, such as revocations. It has
   * separate connections on PostgreSQL; the embedded store has one connection for all access.
   */
  readonly priority: Pick<Store, 'db' | 'transaction' | 'lock'>;
  /**
   * Removes what the files of the database still contain of deleted texts, in steps between which other
   * requests are handled. Does nothing on PostgreSQL, whose autovacuum does it.
   */
  removeTraces(): Promise<void>;
  /** Whether the last write failed because the disk is full. Reads still work. */
  isFull(): boolean;
  /** Writes pending data and closes the store. Idempotent. */
  close(): Promise<void>;
}

/** The lock name for changes to all data of an end user. */
export function endUserLock(user: { agentId: string; externalUserId: string }): string {
  return `end_user:${user.agentId}:${user.externalUserId}`;
}
