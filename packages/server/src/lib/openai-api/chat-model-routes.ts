import type { Route } from '../http/route.ts';
import type { Services } from '../services.ts';
import type { Family } from '../upstreams/families.ts';
import type { ChatModel } from './chat-model.ts';
import { conversationRoutes } from './conversation-routes.ts';
import { chatModelFileRoutes } from './file-routes.ts';
import { responseRoutes } from './response-routes.ts';
import { statelessRoutes } from './stateless-routes.ts';
import { vectorStoreRoutes } from './vector-stores/vector-store-routes.ts';
import { videoRoutes } from './video-routes.ts';

/**
 * The endpoints of the chat-model family (docs/conformance.md, 4.13). Every other path of its
 * prefix is a 404.
 */
export function chatModelRoutes(services: Services, chatModel: ChatModel, family: Family): Route[] {
  return [
    ...withoutAuditOfCalls([
      ...statelessRoutes(services, chatModel, family),
      ...conversationRoutes(chatModel, family),
      ...responseRoutes(services, chatModel, family),
      ...videoRoutes(chatModel, family),
    ]),
    ...chatModelFileRoutes(services, chatModel, family),
    ...vectorStoreRoutes(services, chatModel, family),
  ];
}

/** Leaves the calls of models out of the audit record. Deletions are in it. */
function withoutAuditOfCalls(routes: readonly Route[]): Route[] {
  const unaudited = 'A call of a model, or messages of a conversation, not a setting.';
  return routes.map(({ description, handle }) =>
    description.method === 'post'
      ? { description: { ...description, unaudited }, handle }
      : { description, handle },
  );
}
