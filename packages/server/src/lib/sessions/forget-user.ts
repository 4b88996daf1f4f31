import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Forgotten } from '@inlay/protocol';
import { type Kysely, sql } from 'kysely';
import type { EndUserCaller } from '../auth/caller.ts';
import { userScope } from '../idempotency/idempotent.ts';
import { deleteInSteps } from '../retention/sweep-step.ts';
import { deleteRuns } from '../runs/run-queue.ts';
import { isOfUser } from '../store/is-of-user.ts';
import type { Schema } from '../store/schema.ts';
import { endUserLock } from '../store/store.ts';
import { type DeletionServices, type DeletionWork, publishDeletion } from './delete-sessions.ts';

/** Maximum sessions or files per transaction: other requests to the embedded store wait for it. */
const rowsPerStep = 200;

type User = Pick<EndUserCaller, 'agentId' | 'externalUserId'>;

/** Numbers of rows that were taken away from a user. */
export interface TakenData {
  readonly sessions: number;
  readonly events: number;
  readonly feedback: number;
  readonly files: number;
  readonly consents: number;
}

/**
 * Deletes all data of an end user of an agent: sessions, feedback, files, consents and, for an anonymous
 * visitor, the visitor's record. The issuances stay, because they belong to the host. So do the daily
 * counters, which have no content: otherwise the user would get the quotas of the day again.
 *
 * Takes the rows away from the user in steps, between which other requests are handled. `deletions` deletes
 * them in the background. What the user creates meanwhile stays. If the process dies meanwhile, the request
 * fails, and can be repeated.
 */
export async function forgetUser(
  services: DeletionServices & { readonly deletions: DeletionWork },
  user: User,
): Promise<Forgotten> {
  const { sessions, files } = await takeData(services, user);
  services.deletions.wake();
  return { type: 'forgotten', external_user_id: user.externalUserId, sessions, files };
}

/** Takes the rows away from a user, for `deletions` to delete. */
export async function takeData(services: DeletionServices, user: User): Promise<TakenData> {
  const { store, clock } = services;
  const scope = userScope(user);
  const startedAt = clock.now();
  const owned = await store.transaction(async (transaction) => {
    // Sessions and files are created with the same lock, so that none is missed.
    await store.lock(transaction, endUserLock(user));
    await transaction.deleteFrom('visitors').where(isOfUser(user)).execute();
    const consents = await transaction
      .deleteFrom('consents')
      .where(isOfUser(user))
      .executeTakeFirstOrThrow();
    return {
      consents: Number(consents.numDeletedRows),
      sessions: await idsOf(transaction, 'sessions', user),
      files: await idsOf(transaction, 'files', user),
    };
  });
  const taken = { sessions: 0, events: 0, feedback: 0, files: 0, consents: owned.consents };
  for (const ids of inBatches(owned.files)) {
    taken.files += await services.files.takeFromUser(store.db, user, ids);
    await nextTurn();
  }
  for (const ids of inBatches(owned.sessions)) {
    const { rows, feedback, running } = await store.transaction(async (transaction) => ({
      rows: await transaction
        .updateTable('sessions')
        .set({ external_user_id: '' })
        .where('id', 'in', ids)
        .where('external_user_id', '=', user.externalUserId)
        .returning('last_seq')
        .execute(),
      feedback: await transaction
        .selectFrom('feedback')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('session_id', 'in', ids)
        .executeTakeFirstOrThrow(),
      // Without its row, a run can write nothing and is not started again.
      running: await deleteRuns(transaction, ids),
    }));
    taken.sessions += rows.length;
    for (const { last_seq: count } of rows) taken.events += Number(count);
    taken.feedback += Number(feedback.count);
    // These first: their runs are calling a model.
    for (const id of running) await publishDeletion(services, id);
    await nextTurn();
  }
  await deleteInSteps(
    store.db,
    'idempotency',
    ['scope', 'key'],
    sql`scope = ${scope} and created_at <= ${startedAt}`,
  );
  await deleteInSteps(
    store.db,
    'usage_users',
    ['day', 'agent_id', 'agent_version', 'publishable_key', 'external_user_id'],
    isOfUser(user),
  );
  await store.db.deleteFrom('end_users').where(isOfUser(user)).execute();
  await deleteInSteps(
    store.db,
    'webhook_deliveries',
    ['id'],
    sql`${isOfUser(user)} and session_id is null`,
  );
  return taken;
}

/** Ids of the sessions or the files of a user. */
export async function idsOf(
  db: Kysely<Schema>,
  table: 'sessions' | 'files',
  user: User,
): Promise<string[]> {
  const rows = await db.selectFrom(table).select('id').where(isOfUser(user)).execute();
  return rows.map(({ id }) => id);
}

function* inBatches(ids: readonly string[]): Generator<readonly string[]> {
  for (let index = 0; index < ids.length; index += rowsPerStep) {
    yield ids.slice(index, index + rowsPerStep);
  }
}
