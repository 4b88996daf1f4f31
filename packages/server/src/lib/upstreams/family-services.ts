import type { MiddlewareHandler } from 'hono';
import { authenticate } from '../auth/authenticate.ts';
import type { AppEnv } from '../http/env.ts';
import { requireAudience } from '../http/mount-routes.ts';
import { noStore } from '../http/no-store.ts';
import type { PlatformService } from '../http/service.ts';
import { limitRequests } from '../limits/limit-requests.ts';
import type { ChatModel } from '../openai-api/chat-model.ts';
import { chatModelRoutes } from '../openai-api/chat-model-routes.ts';
import { notFound } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import { type Family, familyOf } from './families.ts';

/**
 * The five families of compatible APIs (service reference, section 1.2). The chat-model family has
 * routes; the others forward every path of their version.
 */
export function familyServices(services: Services, stores: ChatModel): PlatformService[] {
  const { compatible } = services.config;
  const chatModel = familyOf(compatible, 'chat_model');
  const forwarding = (['message_model', 'generative_model', 'sandbox', 'web_search'] as const).map(
    (name) => familyOf(compatible, name),
  );
  const service = (family: Family, fallback: MiddlewareHandler<AppEnv>): PlatformService => ({
    prefix: family.prefix,
    guards: [setFamily(family), noStore, authenticate(services), limitRequests(services)],
    routes: [],
    fallback,
  });
  return [
    {
      ...service(chatModel, async (c) => {
        requireAudience(c, 'backend');
        throw notFound('There is no such path here.');
      }),
      routes: chatModelRoutes(services, stores, chatModel),
    },
    ...forwarding.map((family) =>
      service(family, async (c) => {
        requireAudience(c, 'backend');
        // Loaded on first use, so that the server starts faster.
        const { passThrough } = await import('./pass-through.ts');
        return passThrough(c, services, family);
      }),
    ),
  ];
}

/** First middleware of a family. It sets `family`, so that all errors have the family's format. */
function setFamily(family: Family): MiddlewareHandler<AppEnv> {
  return async function setFamilyOfRequest(c, next) {
    c.set('family', family);
    if (family.requestIdHeader) c.header(family.requestIdHeader, c.get('requestId'));
    await next();
  };
}
