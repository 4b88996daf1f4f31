import { createTokenEndpoint, type PlatformClient } from '@inlay/node';
import { Hono } from 'hono';
import type { Customer } from './customers.ts';
import { identityOf } from './identity.ts';

interface ChatTokenOptions {
  platform: PlatformClient;
  agent: string;
  /** Returns the signed-in user of the host's session cookie; null if there is none. */
  signedInCustomer: (request: Request) => Customer | null;
}

/** `POST /api/chat-token`: issues a token to the signed-in user. The pages' `getToken` calls it. */
export function chatToken({ platform, agent, signedInCustomer }: ChatTokenOptions): Hono {
  const endpoint = createTokenEndpoint({
    platform,
    agent,
    identify: (request) => identityOf(signedInCustomer(request)),
    // Higher than usual, because all users of the demo share two accounts.
    userLimit: { tokens: 200, seconds: 20 },
  });
  return new Hono().all('/api/chat-token', (c) => endpoint(c.req.raw));
}
