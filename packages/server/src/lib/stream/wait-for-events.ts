import type { Context } from 'hono';
import { requireCredential } from '../auth/authenticate.ts';
import type { Caller } from '../auth/caller.ts';
import type { AppEnv } from '../http/env.ts';
import type { Services } from '../services.ts';

/** A long poll of a session's log. */
export interface WaitRequest<Page> {
  readonly caller: Caller;
  readonly sessionId: string;
  /** Maximum time to wait, in seconds. */
  readonly seconds: number;
  /** Reads the page. Rejects if the session was deleted. */
  readonly read: () => Promise<Page>;
}

/**
 * Waits until a page of a session's log has events, and returns the page. Returns an empty page
 * after `seconds`, or when the server stops or the client disconnects.
 *
 * @throws The problem of the credential, if the token ends in the meantime.
 */
export async function waitForEvents<Page extends { readonly data: readonly unknown[] }>(
  c: Context<AppEnv>,
  services: Services,
  { caller, sessionId, seconds, read }: WaitRequest<Page>,
): Promise<Page> {
  const ended = new AbortController();
  const stop = () => ended.abort();
  const { channel, release } = services.hub.registerLongPoll({ caller, stop }, sessionId);
  const cancel = services.clock.after(seconds * 1000, stop);
  const response = c.env?.outgoing?.once('close', stop);
  // The client may have disconnected before the listener was added.
  if (response?.closed) stop();
  try {
    for (;;) {
      // Runs after the registration with the hub: earlier revocations and events are in the store,
      // later ones reach the hub.
      await requireCredential(c);
      const position = await channel.position();
      const page = await read();
      if (page.data.length > 0 || ended.signal.aborted) return page;
      await channel.waitForEventAfter(position, ended.signal);
    }
  } finally {
    response?.off('close', stop);
    cancel();
    release();
  }
}
