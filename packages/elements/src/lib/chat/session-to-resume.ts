import type { InlayClient } from '@inlay/client';

/** Maximum age of a conversation that is resumed: 24 hours, in milliseconds. */
const maxAgeMs = 24 * 60 * 60 * 1000;

/**
 * Finds the conversation to resume after a page load: one with unsent messages, otherwise the latest.
 *
 * @returns Its session id; null if there is none, if the latest is archived, ended or too old, or if the
 *   lookup fails. Also null if the unsent messages have no session: a new conversation sends them.
 */
export async function sessionToResume(client: InlayClient): Promise<string | null> {
  try {
    const { data } = await client.sessions.list({ limit: 1 });
    const [unsent] = await client.unsent();
    if (unsent !== undefined) return unsent;
    const session = data[0];
    if (!session || session.archived_at !== null || session.status === 'terminated') return null;
    return Date.now() - Date.parse(session.updated_at) < maxAgeMs ? session.id : null;
  } catch {
    // A request failed, or access is denied.
    return null;
  }
}
