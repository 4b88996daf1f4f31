import { Metadata, type UpdateSessionRequest } from '@inlay/protocol';
import type { Transaction } from 'kysely';
import * as z from 'zod/mini';
import { isoTime } from '../clock.ts';
import { checkLogLimits } from '../events/check-log-limits.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { LockedSession } from '../events/lock-session.ts';
import { indexTitle } from '../events/update-session-row.ts';
import { validate } from '../http/validate.ts';
import { countMessageBytes } from '../limits/message-quota.ts';
import { notFound } from '../problems/api-error.ts';
import { terminationEvents } from '../runs/termination.ts';
import type { Services } from '../services.ts';
import type { Schema, SessionsTable } from '../store/schema.ts';

/**
 * Changes the title and the metadata of a session. Omitted fields are unchanged; a metadata key set
 * to null is removed. Each change is an event of the log, which counts against
 * `limits.user.message_bytes_per_day`.
 *
 * @throws `CONFLICT` if the log is full, `VALIDATION_ERROR` if the merged metadata is too large, or
 *   `EMBED_QUOTA_EXCEEDED`.
 */
export async function updateSession(
  services: Pick<Services, 'clock' | 'config' | 'events' | 'store'>,
  session: SessionsTable,
  body: UpdateSessionRequest,
): Promise<void> {
  const owner = { agentId: session.agent_id, externalUserId: session.external_user_id };
  // Reads the row inside the transaction, so that concurrent changes are not lost.
  const prepare = async (transaction: Transaction<Schema>, locked: LockedSession | null) => {
    if (locked) checkLogLimits(locked, services.config.limits);
    const row = await readRow(transaction, session.id);
    const merged = { ...JSON.parse(row.metadata), ...body.metadata };
    const withoutNulls = Object.fromEntries(
      Object.entries(merged).filter(([, value]) => value !== null),
    );
    const { metadata } = validate(MetadataField, { metadata: withoutNulls });
    const title = body.title === undefined ? row.title : body.title;
    await transaction
      .updateTable('sessions')
      .set({ title, metadata: JSON.stringify(metadata) })
      .where('id', '=', session.id)
      .execute();
    await indexTitle(transaction, session, title);
    return [{ type: 'session.updated', title, metadata } as const];
  };
  await services.events.append(session.id, prepare, {
    within: async (transaction, appended) => {
      await countMessageBytes(services, transaction, owner, appended);
    },
  });
}

/** Archives a session: interrupts its run, and rejects further events. Idempotent. */
export async function archiveSession(
  { clock, events, runQueue }: Pick<Services, 'clock' | 'events' | 'runQueue'>,
  session: SessionsTable,
): Promise<void> {
  const now = clock.now();
  const appended = await events.append(session.id, (transaction) =>
    setArchived(transaction, session.id, now),
  );
  if (appended.length === 0) return;
  // Checked after `archived_at` is set, so that no new event can start another run.
  if (await runQueue.hasRun(session.id)) {
    await events.append(session.id, [{ type: 'user.interrupt' }]);
  }
}

/**
 * Restores an archived session. Does nothing if the session is not archived.
 *
 * @throws `CONFLICT` if the log is full; the session stays archived.
 */
export async function unarchiveSession(
  { config, events }: Pick<Services, 'config' | 'events'>,
  session: SessionsTable,
): Promise<void> {
  await events.append(session.id, async (transaction, locked) => {
    const drafts = await setArchived(transaction, session.id, null);
    if (locked && drafts.length > 0) checkLogLimits(locked, config.limits);
    return drafts;
  });
}

/**
 * Sets `archived_at`, and returns the event for the log; null restores the session. Returns no event
 * if nothing changed.
 */
async function setArchived(
  transaction: Transaction<Schema>,
  id: string,
  archivedAt: number | null,
): Promise<EventDraft[]> {
  const { numUpdatedRows } = await transaction
    .updateTable('sessions')
    .set({ archived_at: archivedAt })
    .where('id', '=', id)
    .where('archived_at', archivedAt === null ? 'is not' : 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return [];
  const archived_at = archivedAt === null ? null : isoTime(archivedAt);
  return [{ type: 'session.updated', archived_at }];
}

/** Ends a session permanently, with its run. Only the first call's `reason` is kept. */
export async function terminateSession(
  { events }: Pick<Services, 'events'>,
  session: SessionsTable,
  reason: string | null,
): Promise<void> {
  await events.append(session.id, async (_, locked) => {
    const termination = terminationEvents(locked, reason);
    return termination.length > 0 ? [{ type: 'user.interrupt' }, ...termination] : [];
  });
}

async function readRow(
  transaction: Transaction<Schema>,
  id: string,
): Promise<Pick<SessionsTable, 'title' | 'metadata'>> {
  const row = await transaction
    .selectFrom('sessions')
    .select(['title', 'metadata'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound('This session was deleted.');
  return row;
}

const MetadataField = z.object({ metadata: Metadata });
