import { setImmediate } from 'node:timers/promises';
import type { Forgotten } from '@inlay/protocol';
import type { EndUserCaller } from '../auth/caller.ts';
import { userScope } from '../idempotency/idempotent.ts';
import { describeError } from '../log/logger.ts';
import { type SweepStep, stepSize } from '../retention/sweep-step.ts';
import { deleteRuns } from '../runs/run-queue.ts';
import { isForgotten } from '../store/is-forgotten.ts';
import { endUserLock } from '../store/store.ts';
import { type DeletionServices, deleteForgottenSession } from './delete-sessions.ts';

/** Maximum sessions per step: fewer than `stepSize`, because a session has many rows. */
const sessionsPerStep = 20;

/**
 * Deletes all data of an end user of an agent: sessions, feedback, files and, for an anonymous
 * visitor, the visitor's record. The issuances stay, because they belong to the host. So do the daily
 * counters, which have no content: otherwise the user would get the quotas of the day again.
 *
 * One transaction takes the rows away from the user, who then no longer has them. They are deleted in
 * steps, so that other requests are handled in between; after a crash, the sweep deletes the rest.
 */
export async function forgetUser(
  services: DeletionServices,
  { agentId, externalUserId }: Pick<EndUserCaller, 'agentId' | 'externalUserId'>,
): Promise<Forgotten> {
  const { store } = services;
  const { running, sessionCount, fileCount } = await store.transaction(async (transaction) => {
    // Sessions and files are created with the same lock, so that none is missed.
    await store.lock(transaction, endUserLock({ agentId, externalUserId }));
    // Without its row, a run can write nothing and is not started again.
    const running = await deleteRuns(
      transaction,
      'user_scope',
      userScope({ agentId, externalUserId }),
    );
    const { numUpdatedRows: sessionCount } = await transaction
      .updateTable('sessions')
      .set({ external_user_id: '' })
      .where('agent_id', '=', agentId)
      .where('external_user_id', '=', externalUserId)
      .executeTakeFirst();
    const fileCount = await services.files.takeFromUser(transaction, { agentId, externalUserId });
    await transaction
      .deleteFrom('visitors')
      .where('agent_id', '=', agentId)
      .where('external_user_id', '=', externalUserId)
      .execute();
    await transaction
      .deleteFrom('idempotency')
      .where('scope', '=', userScope({ agentId, externalUserId }))
      .execute();
    return { running, sessionCount: Number(sessionCount), fileCount };
  });
  // These first: their runs are calling a model.
  for (const id of running) await deleteForgottenSession(services, id);
  for (const step of forgottenSteps(services))
    while ((await step()) >= stepSize) await setImmediate();
  // The contents that cannot be deleted stay listed, and the next cleanup retries them.
  await services.files
    .sweep()
    .catch((error: unknown) => services.log.error('files not removed', describeError(error)));
  return {
    type: 'forgotten',
    external_user_id: externalUserId,
    sessions: sessionCount,
    files: fileCount,
  };
}

/** Steps that delete the sessions and the files of forgotten users. */
export function forgottenSteps(services: DeletionServices): readonly SweepStep[] {
  const deleteSessions = async () => {
    const rows = await services.store.db
      .selectFrom('sessions')
      .select('id')
      .where(isForgotten)
      .limit(sessionsPerStep)
      .execute();
    for (const { id } of rows) await deleteForgottenSession(services, id);
    return rows.length < sessionsPerStep ? 0 : stepSize;
  };
  return [deleteSessions, services.files.deleteForgotten];
}
