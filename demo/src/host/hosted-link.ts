import { type PlatformClient, PlatformError } from '@inlay/node';
import { Hono } from 'hono';
import type { Customer } from './customers.ts';
import { identityOf } from './identity.ts';
import { sameOrigin } from './same-origin.ts';

interface HostedLinkOptions {
  platform: PlatformClient;
  agent: string;
  /** Returns the signed-in user of the host's session cookie; null if there is none. */
  signedInCustomer: (request: Request) => Customer | null;
}

/** `GET /hosted-link`: redirects the signed-in user to a hosted conversation page. */
export function hostedLink({ platform, agent, signedInCustomer }: HostedLinkOptions): Hono {
  return new Hono().get('/hosted-link', sameOrigin, async (c) => {
    // The URL contains a single-use code, which must not be cached or sent as a referrer.
    c.header('cache-control', 'no-store');
    c.header('referrer-policy', 'no-referrer');

    const identity = identityOf(signedInCustomer(c.req.raw));
    if (!identity) return c.redirect('/hosted?problem=signed-out', 303);
    try {
      const issued = await platform.embedTokens.issue({ ...identity, agent, hosted: true });
      return c.redirect(issued.hosted_url ?? '/hosted?problem=unavailable', 303);
    } catch (error) {
      const blocked = error instanceof PlatformError && error.code === 'EMBED_USER_BLOCKED';
      if (!blocked) console.error(error);
      return c.redirect(`/hosted?problem=${blocked ? 'blocked' : 'unavailable'}`, 303);
    }
  });
}
