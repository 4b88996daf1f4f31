import { Forgotten } from '@inlay/protocol';
import { requireFeature } from '../agents/require-feature.ts';
import { type Route, route } from '../http/route.ts';
import type { Services } from '../services.ts';
import { forgetUser } from '../sessions/forget-user.ts';

/** Route that deletes all data of the end user who calls it. */
export function forgetMeRoutes(services: Services): Route[] {
  return [
    route(
      {
        method: 'post',
        path: '/agent/v1/embed/forget_me',
        audience: 'end_user',
        tag: 'Rights',
        summary: 'Delete all data of the end user',
        description:
          'Deletes all conversations with this agent, feedback, uploaded files, consents and, for a visitor, the identity: their `visitor_secret` creates a new visitor from then on. Streams of these conversations end with `session.deleted`. The token stays valid.',
        response: Forgotten,
        problems: ['EMBED_FEATURE_DISABLED'],
      },
      async ({ caller }) => {
        requireFeature(services.agents, caller, 'forget_me');
        return forgetUser(services, caller);
      },
    ),
  ];
}
