import type { Family } from '../gateway/families.ts';
import type { Route } from '../http/route.ts';
import type { Services } from '../services.ts';

/**
 * The endpoints of the chat-model family (service reference, section 4.13). Every other path of its
 * prefix is a 404.
 */
export function chatModelRoutes(_services: Services, _family: Family): Route[] {
  return [];
}
