import { insertTexts } from '../events/search-index.ts';
import type { Store } from '../store/store.ts';

/** Adds searchable texts to a session, as if its log had them. */
export async function insertSessionTexts(
  { db }: Store,
  sessionId: string,
  texts: readonly { seq: number; text: string }[],
): Promise<void> {
  const owner = await db
    .selectFrom('sessions')
    .select(['agent_id', 'external_user_id'])
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow();
  const rows = texts.map(({ seq, text }) => ({ session_id: sessionId, seq, text }));
  await insertTexts(db, owner, rows);
}
