import { createTokenEndpoint, type PlatformClient } from '@inlay/node';
import { type Context, Hono } from 'hono';
import { identityOf } from './identity.ts';
import type { Person } from './people.ts';

interface ChatTokenOptions {
  platform: PlatformClient;
  agent: string;
  /** Who is signed in, by the host's own session cookie. */
  whoIs: (context: Context) => Person | null;
}

/** `POST /api/chat-token`: what `getToken` asks, answered for the person of the cookie alone. */
export function chatToken({ platform, agent, whoIs }: ChatTokenOptions): Hono {
  return new Hono().all('/api/chat-token', (c) => {
    const endpoint = createTokenEndpoint({ platform, agent, identify: () => identityOf(whoIs(c)) });
    return endpoint(c.req.raw);
  });
}
