import type { Selectable, Transaction } from 'kysely';
import { isDeleted } from '../store/is-deleted.ts';
import { prepare } from '../store/prepared.ts';
import { type Schema, sessionColumns } from '../store/schema.ts';

/** The columns of a session that transactions decide by, as they are until the transaction ends. */
export type LockedSession = Pick<Selectable<Schema['sessions']>, (typeof lockedColumns)[number]>;

const lockedColumns = [
  'id',
  'agent_id',
  'external_user_id',
  'agent_version',
  'publishable_key',
  'outcome',
  'active_at',
  'status',
  'archived_at',
  'begun_at',
  'source',
  'budget_cents',
  'spent_microcents',
  'reserved_microcents',
  'log_bytes',
  'last_seq',
  'head_id',
] as const;

const lock = prepare((db) =>
  db
    .selectFrom('sessions')
    .select(lockedColumns)
    .where('id', '=', '')
    .where(({ not }) => not(isDeleted))
    .forUpdate(),
);

/**
 * Locks the session's row until the transaction ends. Returns null if the session does not exist, or was
 * deleted and waits for the removal of its rows.
 */
export async function lockSession(
  transaction: Transaction<Schema>,
  sessionId: string,
): Promise<LockedSession | null> {
  const [row] = await lock(transaction, sessionId);
  return row ?? null;
}

const lockWholeIfFree = prepare((db) =>
  db
    .selectFrom('sessions')
    .select([...sessionColumns, 'reserved_microcents', 'last_seq', 'head_id'])
    .where('id', '=', '')
    .where(({ not }) => not(isDeleted))
    .forUpdate()
    .skipLocked(),
);

/**
 * Locks the session's row, and reads all its columns. Returns null if `lockSession` would, or if another
 * transaction has locked the row: for transactions that have locked the session's run, which comes
 * after the session in the order of locks.
 */
export async function lockSessionIfFree(transaction: Transaction<Schema>, sessionId: string) {
  const [row] = await lockWholeIfFree(transaction, sessionId);
  return row ?? null;
}
