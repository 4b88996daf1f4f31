import type { Kysely, Transaction } from 'kysely';
import type { Blobs } from './blobs.ts';
import type { Schema } from './schema.ts';

/**
 * Access to the data: one schema and one set of queries for both engines. Row locks are omitted on
 * SQLite, which serializes writers anyway (see `sqlite-store.ts`).
 *
 * Code that reads a row to decide what to write locks it (`forUpdate`, or `forShare` if it must
 * only stay unchanged), or writes conditionally. If there is no row yet, it locks a name. To avoid
 * deadlocks, the order is always: names, a session, files, an issuance, a run, daily counters.
 */
export interface Store {
  readonly db: Kysely<Schema>;
  /** The contents of uploaded files. */
  readonly blobs: Blobs;
  /**
   * Runs `work` in a transaction. If the database aborts it because of a conflict, it is retried,
   * up to five attempts in total, so `work` must be safe to retry.
   */
  transaction<Result>(work: (transaction: Transaction<Schema>) => Promise<Result>): Promise<Result>;
  /** Locks names until the transaction ends. */
  lock(transaction: Transaction<Schema>, ...names: readonly string[]): Promise<void>;
  /**
   * Access for calls that must not queue behind others: separate connections on PostgreSQL. The
   * embedded store has one connection for everything.
   */
  readonly priority: Pick<Store, 'db' | 'transaction' | 'lock'>;
  /** Whether the last write failed because the disk is full. Reads still work. */
  isFull(): boolean;
  /** Writes pending data and closes the store. Idempotent. */
  close(): Promise<void>;
}

/** The lock name for changes to all data of an end user. */
export function endUserLock(user: { agentId: string; externalUserId: string }): string {
  return `end_user:${user.agentId}:${user.externalUserId}`;
}
