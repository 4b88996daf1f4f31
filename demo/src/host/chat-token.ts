import { createTokenEndpoint, type PlatformClient } from '@inlay/node';
import { Hono } from 'hono';
import { identityOf } from './identity.ts';
import type { Person } from './people.ts';

interface ChatTokenOptions {
  platform: PlatformClient;
  agent: string;
  /** Who is signed in, by the host's own session cookie. */
  whoIs: (request: Request) => Person | null;
}

/** `POST /api/chat-token`: what `getToken` asks, answered for the person of the cookie alone. */
export function chatToken({ platform, agent, whoIs }: ChatTokenOptions): Hono {
  const endpoint = createTokenEndpoint({
    platform,
    agent,
    identify: (request) => identityOf(whoIs(request)),
    // Everybody who tries the demo is one of the same two people.
    userLimit: { tokens: 200, seconds: 20 },
  });
  return new Hono().all('/api/chat-token', (c) => endpoint(c.req.raw));
}
