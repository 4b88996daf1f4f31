import type { Forgotten } from '@inlay/protocol';
import type { Transaction } from 'kysely';
import type { EndUserCaller } from '../auth/caller.ts';
import { isoTime } from '../clock.ts';
import { lockSession } from '../events/lock-session.ts';
import { userScope } from '../idempotency/idempotent.ts';
import { describeError } from '../log/logger.ts';
import type { Services } from '../services.ts';
import type { Schema, SessionsTable } from '../store/schema.ts';
import { endUserLock } from '../store/store.ts';

type DeletionServices = Pick<
  Services,
  'bus' | 'clock' | 'events' | 'files' | 'log' | 'sessions' | 'store'
>;

/** A deleted session, with the last `seq` of its log. */
interface DeletedSession {
  readonly id: string;
  readonly lastSeq: number;
}

/**
 * Deletes a session with its events, its feedback, and the files that no other session of the user
 * refers to. Open streams get `session.deleted`, and end.
 *
 * @param options.inactiveSince Milliseconds since the epoch. The session is kept if it was active at
 *   this time or later.
 */
export async function deleteSession(
  services: DeletionServices,
  session: Pick<SessionsTable, 'id' | 'agent_id' | 'external_user_id'>,
  options: { inactiveSince?: number } = {},
): Promise<void> {
  const { files } = services;
  const scope = userScope({
    agentId: session.agent_id,
    externalUserId: session.external_user_id,
  });
  const deleted = await services.store.transaction(async (transaction) => {
    await lockSession(transaction, session.id);
    if (await wasActive(transaction, session.id, options.inactiveSince)) return null;
    await files.deleteFilesOfSession(transaction, session.id);
    // The stored response of an idempotent creation contains the session's title and preview.
    await transaction
      .deleteFrom('idempotency')
      .where('scope', '=', scope)
      .where(({ eb, fn, val }) =>
        eb(fn<number>('instr', ['response', val(JSON.stringify(session.id))]), '>', 0),
      )
      .execute();
    return deleteRows(services, transaction, session.id);
  });
  if (deleted) await finishDeletion(services, [deleted]);
}

async function wasActive(
  transaction: Transaction<Schema>,
  id: string,
  since: number | undefined,
): Promise<boolean> {
  if (since === undefined) return false;
  const row = await transaction
    .selectFrom('sessions')
    .select('active_at')
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined && Number(row.active_at) >= since;
}

/**
 * Deletes all data of an end user of an agent: sessions, feedback, files and, for an anonymous
 * visitor, the visitor's record. The issuances stay, because they belong to the host. So do the daily
 * counters, which have no content: otherwise the user would get the quotas of the day again.
 */
export async function forgetUser(
  services: DeletionServices,
  { agentId, externalUserId }: Pick<EndUserCaller, 'agentId' | 'externalUserId'>,
): Promise<Forgotten> {
  const { files } = services;
  const { deleted, fileCount } = await services.store.transaction(async (transaction) => {
    // Sessions and files are created with the same lock, so that none is missed.
    await services.store.lock(transaction, endUserLock({ agentId, externalUserId }));
    const rows = await transaction
      .selectFrom('sessions')
      .select('id')
      .where('agent_id', '=', agentId)
      .where('external_user_id', '=', externalUserId)
      .orderBy('id')
      .forUpdate()
      .execute();
    const deleted: DeletedSession[] = [];
    for (const { id } of rows) deleted.push(await deleteRows(services, transaction, id));
    const fileCount = await files.deleteFilesOfUser(transaction, { agentId, externalUserId });
    await transaction
      .deleteFrom('visitors')
      .where('agent_id', '=', agentId)
      .where('external_user_id', '=', externalUserId)
      .execute();
    await transaction
      .deleteFrom('idempotency')
      .where('scope', '=', userScope({ agentId, externalUserId }))
      .execute();
    return { deleted, fileCount };
  });
  await finishDeletion(services, deleted);
  return {
    type: 'forgotten',
    external_user_id: externalUserId,
    sessions: deleted.length,
    files: fileCount,
  };
}

async function deleteRows(
  { sessions }: DeletionServices,
  transaction: Transaction<Schema>,
  id: string,
): Promise<DeletedSession> {
  const row = await transaction
    .selectFrom('events')
    .select((eb) => eb.fn.max('seq').as('seq'))
    .where('session_id', '=', id)
    .executeTakeFirst();
  await sessions.delete(transaction, id);
  return { id, lastSeq: Number(row?.seq ?? 0) };
}

/** Ends streams and runs, and deletes the contents of files. Must be called after the commit. */
async function finishDeletion(
  { bus, clock, events, files, log }: DeletionServices,
  deleted: readonly DeletedSession[],
): Promise<void> {
  for (const { id, lastSeq } of deleted) {
    await bus.publish({
      kind: 'session_events',
      sessionId: id,
      events: [
        {
          type: 'session.deleted',
          id: events.newEventId(),
          processed_at: isoTime(clock.now()),
          seq: lastSeq + 1,
        },
      ],
    });
  }
  // The contents that cannot be deleted stay listed, and the next cleanup retries them.
  await files
    .sweep()
    .catch((error: unknown) => log.error('files not removed', describeError(error)));
}
