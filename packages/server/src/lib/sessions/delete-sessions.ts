import type { Transaction } from 'kysely';
import { isoTime } from '../clock.ts';
import { lockSession } from '../events/lock-session.ts';
import { userScope } from '../idempotency/idempotent.ts';
import { describeError } from '../log/logger.ts';
import type { Services } from '../services.ts';
import type { Schema, SessionsTable } from '../store/schema.ts';

export type DeletionServices = Pick<
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
  if (!deleted) return;
  await publishDeletion(services, deleted);
  // The contents that cannot be deleted stay listed, and the next cleanup retries them.
  await files
    .sweep()
    .catch((error: unknown) => services.log.error('files not removed', describeError(error)));
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

/** Deletes a session of a forgotten user. Its files belonged to the user, and are deleted separately. */
export async function deleteForgottenSession(
  services: DeletionServices,
  id: string,
): Promise<void> {
  const deleted = await services.store.transaction(async (transaction) => {
    await lockSession(transaction, id);
    return deleteRows(services, transaction, id);
  });
  await publishDeletion(services, deleted);
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

/** Ends the streams and the run of a session. Must be called after the commit. */
async function publishDeletion(
  { bus, clock, events }: DeletionServices,
  { id, lastSeq }: DeletedSession,
): Promise<void> {
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
