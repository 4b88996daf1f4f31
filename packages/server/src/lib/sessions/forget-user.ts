import type { Forgotten } from '@inlay/protocol';
import type { EndUserCaller } from '../auth/caller.ts';
import { userScope } from '../idempotency/idempotent.ts';
import { deleteRuns } from '../runs/run-queue.ts';
import { endUserLock } from '../store/store.ts';
import { type DeletionServices, type DeletionWork, publishDeletion } from './delete-sessions.ts';

/**
 * Deletes all data of an end user of an agent: sessions, feedback, files and, for an anonymous
 * visitor, the visitor's record. The issuances stay, because they belong to the host. So do the daily
 * counters, which have no content: otherwise the user would get the quotas of the day again.
 *
 * One transaction takes the rows away from the user, who then no longer has them. `deletions` deletes
 * them in the background.
 */
export async function forgetUser(
  services: DeletionServices & { readonly deletions: DeletionWork },
  { agentId, externalUserId }: Pick<EndUserCaller, 'agentId' | 'externalUserId'>,
): Promise<Forgotten> {
  const { store, files, deletions } = services;
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
    const fileCount = await files.takeFromUser(transaction, { agentId, externalUserId });
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
  for (const id of running) await publishDeletion(services, id);
  deletions.wake();
  return {
    type: 'forgotten',
    external_user_id: externalUserId,
    sessions: sessionCount,
    files: fileCount,
  };
}
