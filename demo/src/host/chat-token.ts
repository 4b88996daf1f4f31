import { createTokenEndpoint, type PlatformClient } from '@inlay/node';
import { Hono } from 'hono';
import { identityOf } from './identity.ts';
import type { Person } from './people.ts';

interface ChatTokenOptions {
  platform: PlatformClient;
  agent: string;
  /** Returns the signed-in user of the host's session cookie; null if there is none. */
  whoIs: (request: Request) => Person | null;
}

/** `POST /api/chat-token`: issues a token to the signed-in user. The pages' `getToken` calls it. */
export function chatToken({ platform, agent, whoIs }: ChatTokenOptions): Hono {
  const endpoint = createTokenEndpoint({
    platform,
    agent,
    identify: (request) => identityOf(whoIs(request)),
    // Higher than usual, because all users of the demo share two accounts.
    userLimit: { tokens: 200, seconds: 20 },
  });
  return new Hono().all('/api/chat-token', (c) => endpoint(c.req.raw));
}
