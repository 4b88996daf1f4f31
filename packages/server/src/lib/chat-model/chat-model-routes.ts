import type { Family } from '../gateway/families.ts';
import type { Route } from '../http/route.ts';
import type { Services } from '../services.ts';
import { conversationRoutes } from './conversation-routes.ts';
import { chatModelFileRoutes } from './file-routes.ts';
import { statelessRoutes } from './stateless-routes.ts';

/**
 * The endpoints of the chat-model family (service reference, section 4.13). Every other path of its
 * prefix is a 404.
 */
export function chatModelRoutes(services: Services, family: Family): Route[] {
  return [
    ...statelessRoutes(services, family),
    ...conversationRoutes(services, family),
    ...chatModelFileRoutes(services, family),
  ];
}
