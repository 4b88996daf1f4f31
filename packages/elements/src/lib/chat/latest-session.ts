import type { InlayClient } from '@inlay/client';

/** Past this, someone who comes back begins anew: 24 hours, in milliseconds. */
const staleAfter = 24 * 60 * 60 * 1000;

/**
 * The conversation that the person was in a moment ago, on the page before or before a reload: the
 * one in which something waits to be sent, or the latest. Null where there is none, or where it
 * can't be had: then a new one begins.
 */
export async function latestSession(client: InlayClient): Promise<string | null> {
  try {
    const { data } = await client.sessions.list({ limit: 1 });
    const [waiting] = await client.unsent();
    if (waiting !== undefined) return waiting;
    const session = data[0];
    if (!session || session.archived_at !== null || session.status === 'terminated') return null;
    return Date.now() - Date.parse(session.updated_at) < staleAfter ? session.id : null;
  } catch {
    return null;
  }
}
