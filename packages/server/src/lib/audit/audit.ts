import { AsyncLocalStorage } from 'node:async_hooks';
import { idPrefix } from '@inlay/protocol';
import type { Kysely } from 'kysely';
import { newIdAt } from '../random.ts';
import type { ServiceOptions } from '../service-options.ts';
import type { AuditEventsTable, Schema } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

type AuditServices = Pick<ServiceOptions, 'store' | 'clock' | 'random'>;

/** The actor, the action and the subject of an entry in the audit record. */
export type Operation = Pick<
  AuditEventsTable,
  'actor' | 'action' | 'subject' | 'request_id' | 'source'
>;

/** Returns the operation of a command, such as `keys create`. */
export function commandOperation(action: string, subject: string): Operation {
  return { actor: 'cli', action, subject, request_id: null, source: null };
}

/** The change that an operation makes. Values must contain no secrets and no texts of users. */
interface Change {
  /** Replaces the subject, for example by the path of what was created. */
  subject?: string;
  /** Settings before and after the operation. */
  before?: object;
  after?: object;
}

interface Entry extends Operation, Omit<Change, 'subject'> {
  readonly id: string;
  readonly at: number;
  isWritten: boolean;
}

/** The operation that the current asynchronous call belongs to. */
const current = new AsyncLocalStorage<Entry | null>();

/**
 * Performs an operation, and adds it to the audit record: in its first transaction, or after it if it has
 * none. An operation that fails is not recorded, unless a transaction was committed before.
 */
export async function audited<Result>(
  { store, clock, random }: AuditServices,
  operation: Operation,
  work: () => Promise<Result>,
): Promise<Result> {
  const now = clock.now();
  const entry = { ...operation, id: newIdAt(random, now, idPrefix.auditEvent), at: now };
  return current.run({ ...entry, isWritten: false }, async () => {
    const result = await work();
    await recordOperation(store.db);
    return result;
  });
}

/** Completes the entry of the current operation. Call it in the transaction of the change, or before. */
export function describeChange(change: Change): void {
  const entry = current.getStore();
  if (entry) Object.assign(entry, change);
}

/** Performs work that undoes a refused operation, whose transactions don't record it. */
export function unrecorded<Result>(work: () => Result): Result {
  return current.run(null, work);
}

/** Writes the entry of the current operation, for an operation without a transaction. */
export async function recordOperation(db: Kysely<Schema>): Promise<void> {
  const entry = current.getStore();
  if (!entry || entry.isWritten) return;
  await write(db, entry);
  entry.isWritten = true;
}

/** Returns the store with transactions that write the entry of the current operation. */
export function withAudit<S extends Store>(store: S): S {
  const wrap = (access: Store['priority']): Pick<Store, 'transaction'> => ({
    async transaction(work) {
      const entry = current.getStore();
      if (!entry || entry.isWritten) return access.transaction(work);
      entry.isWritten = true;
      try {
        return await access.transaction(async (transaction) => {
          const value = await work(transaction);
          await write(transaction, entry);
          return value;
        });
      } catch (error) {
        entry.isWritten = false;
        throw error;
      }
    },
  });
  return { ...store, ...wrap(store), priority: { ...store.priority, ...wrap(store.priority) } };
}

async function write(db: Kysely<Schema>, entry: Entry): Promise<void> {
  const { isWritten, before, after, ...columns } = entry;
  const toJson = (value: object | undefined) => (value ? JSON.stringify(value) : null);
  await db
    .insertInto('audit_events')
    .values({ ...columns, before: toJson(before), after: toJson(after) })
    .execute();
}

/**
 * Returns the members that differ, before and after a change.
 *
 * @param ignored Names of members that are left out.
 */
export function differenceOf(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  ignored: readonly string[] = [],
): { before: object; after: object } {
  const names = Object.keys({ ...before, ...after }).filter(
    (name) =>
      !ignored.includes(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const pick = (from: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(names.map((name) => [name, from[name]]));
  return { before: pick(before), after: pick(after) };
}
