import type { Context } from 'hono';
import { requireCredential } from '../auth/authenticate.ts';
import type { EndUserCaller } from '../auth/caller.ts';
import type { Services } from '../deps.ts';
import type { AppEnv } from '../http/env.ts';
import type { StreamHub } from './stream-hub.ts';

export interface WaitRequest<Page> {
  readonly caller: EndUserCaller;
  readonly sessionId: string;
  /** How long to wait at most. */
  readonly seconds: number;
  /** Reads what there is. It rejects where the session is gone. */
  readonly read: () => Promise<Page>;
}

/**
 * Answers with what there is as soon as there is something. It ends early with nothing where the
 * server stops or the client hangs up, and rejects with the problem where the token ends.
 */
export async function waitForEvents<Page extends { readonly data: readonly unknown[] }>(
  c: Context<AppEnv>,
  { services, hub }: { services: Services; hub: StreamHub },
  { caller, sessionId, seconds, read }: WaitRequest<Page>,
): Promise<Page> {
  const over = new AbortController();
  const stop = () => over.abort();
  const { channel, release } = hub.wait({ caller, stop }, sessionId);
  const cancel = services.clock.after(seconds * 1000, stop);
  const response = c.env?.outgoing?.once('close', stop);
  // It may have hung up while the first look was taken; that is not told again.
  if (response?.closed) stop();
  try {
    for (;;) {
      // Only now that the hub knows of it: what ended the token, or was said, before shows in the
      // store, and what comes later reaches the hub. The same look ends the wait.
      await requireCredential(c, services);
      const position = await channel.position();
      const page = await read();
      if (page.data.length > 0 || over.signal.aborted) return page;
      await channel.beyond(position, over.signal);
    }
  } finally {
    response?.off('close', stop);
    cancel();
    release();
  }
}
