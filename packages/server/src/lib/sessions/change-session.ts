import { Metadata, type UpdateSessionRequest } from '@inlay/protocol';
import * as z from 'zod/mini';
import { validate } from '../http/validate.ts';
import { isoTime } from '../ports/clock.ts';
import type { SessionsTable } from '../store/schema.ts';
import type { Conversations } from './conversations.ts';

/** Changes title and metadata. A field that is left out stays; a metadata key set to null goes. */
export async function updateSession(
  { events }: Conversations,
  session: SessionsTable,
  body: UpdateSessionRequest,
): Promise<void> {
  const merged = { ...JSON.parse(session.metadata), ...body.metadata };
  const kept = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
  const { metadata } = validate(MetadataField, { metadata: kept });
  const title = body.title === undefined ? session.title : body.title;
  await events.append(session.id, [{ type: 'session.updated', title, metadata }], {
    within: async (transaction) => {
      await transaction
        .updateTable('sessions')
        .set({ title, metadata: JSON.stringify(metadata) })
        .where('id', '=', session.id)
        .execute();
    },
  });
}

/** Ends what runs, and takes nothing more. Archiving twice is fine. */
export async function archiveSession(
  { events, services, leases }: Conversations,
  session: SessionsTable,
): Promise<void> {
  if (session.archived_at !== null) return;
  const now = services.clock.now();
  await events.append(session.id, [{ type: 'session.updated', archived_at: isoTime(now) }], {
    within: async (transaction) => {
      await transaction
        .updateTable('sessions')
        .set({ archived_at: now })
        .where('id', '=', session.id)
        .execute();
    },
  });
  // Only now: from here on nothing can come in that would have to be stopped as well.
  if (await leases.isWanted(session.id)) {
    await events.append(session.id, [{ type: 'user.interrupt' }]);
  }
}

/** Takes the session away with everything in it. Open streams hear of it, and end. */
export async function deleteSession(
  { events, sessions, services }: Conversations,
  session: SessionsTable,
): Promise<void> {
  const last = await services.store.db.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('events')
      .select((eb) => eb.fn.max('seq').as('seq'))
      .where('session_id', '=', session.id)
      .executeTakeFirst();
    await sessions.delete(transaction, session.id);
    return Number(row?.seq ?? 0);
  });
  await services.bus.publish({
    kind: 'session_events',
    sessionId: session.id,
    events: [
      {
        type: 'session.deleted',
        id: events.newEventId(),
        processed_at: isoTime(services.clock.now()),
        seq: last + 1,
      },
    ],
  });
}

const MetadataField = z.object({ metadata: Metadata });
