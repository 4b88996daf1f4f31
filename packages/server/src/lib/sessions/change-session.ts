import { Metadata, type UpdateSessionRequest } from '@inlay/protocol';
import * as z from 'zod/mini';
import { indexTitle } from '../events/mark-session.ts';
import { validate } from '../http/validate.ts';
import { isoTime } from '../ports/clock.ts';
import { endingOf } from '../runs/ending.ts';
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
      await indexTitle(transaction, session.id, title);
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

/** Takes it back. Where it was not archived, nothing happens. */
export async function unarchiveSession(
  { events }: Conversations,
  session: SessionsTable,
): Promise<void> {
  if (session.archived_at === null) return;
  await events.append(session.id, [{ type: 'session.updated', archived_at: null }], {
    within: async (transaction) => {
      await transaction
        .updateTable('sessions')
        .set({ archived_at: null })
        .where('id', '=', session.id)
        .execute();
    },
  });
}

/** Ends a conversation for good, with what runs in it. The first reason stands. */
export async function terminateSession(
  { events }: Conversations,
  session: SessionsTable,
  reason: string | null,
): Promise<void> {
  await events.append(session.id, async (transaction) => {
    const ending = await endingOf(transaction, session.id, reason);
    return ending.length > 0 ? [{ type: 'user.interrupt' }, ...ending] : [];
  });
}

const MetadataField = z.object({ metadata: Metadata });
