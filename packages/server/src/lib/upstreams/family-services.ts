import type { MiddlewareHandler } from 'hono';
import { authenticate } from '../auth/authenticate.ts';
import type { AppEnv } from '../http/env.ts';
import { requireAudience } from '../http/mount-routes.ts';
import { noStore } from '../http/no-store.ts';
import type { PlatformService } from '../http/service.ts';
import { limitRequests } from '../limits/limit-requests.ts';
import type { Services } from '../services.ts';
import { type Family, familyOf } from './families.ts';

/** The families of compatible APIs that forward every path of their version. */
export function familyServices(services: Services): PlatformService[] {
  const names = ['message_model', 'generative_model', 'sandbox', 'web_search'] as const;
  return names.map((name) => {
    const family = familyOf(services.config.compatible, name);
    return familyService(services, family, async (c) => {
      requireAudience(c, 'backend');
      // Loaded on first use, so that the server starts faster.
      const { passThrough } = await import('./pass-through.ts');
      return passThrough(c, services, family);
    });
  });
}

/** A family as a service without routes. */
export function familyService(
  services: Services,
  family: Family,
  fallback: MiddlewareHandler<AppEnv>,
): PlatformService {
  return {
    prefix: family.prefix,
    guards: [setFamily(family), noStore, authenticate(services), limitRequests(services)],
    routes: [],
    fallback,
  };
}

/** First middleware of a family. It sets `family`, so that all errors have the family's format. */
function setFamily(family: Family): MiddlewareHandler<AppEnv> {
  return async function setFamilyOfRequest(c, next) {
    c.set('family', family);
    if (family.requestIdHeader) c.header(family.requestIdHeader, c.get('requestId'));
    await next();
  };
}
