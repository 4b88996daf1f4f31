import { Forgotten } from '@inlay/protocol';
import { requireFeature } from '../agents/features.ts';
import { type Route, route } from '../http/route.ts';
import type { Services } from '../services.ts';
import { forgetUser } from '../sessions/delete-sessions.ts';

/** The right to be forgotten. */
export function forgetMeRoutes(services: Services): Route[] {
  return [
    route(
      {
        method: 'post',
        path: '/agent/v1/embed/forget_me',
        audience: 'end_user',
        tag: 'Rights',
        summary: 'Delete everything that is kept of oneself',
        description:
          'All conversations with this agent, what was said about answers, all uploaded files and, of a visitor, who they are: their `visitor_secret` makes a new visitor from then on. Streams of these conversations end with `session.deleted`. The token stays good.',
        answer: Forgotten,
        problems: ['EMBED_FEATURE_DISABLED'],
      },
      async ({ caller }) => {
        requireFeature(services.agents, caller.agentId, 'forget_me');
        return forgetUser(services, caller);
      },
    ),
  ];
}
