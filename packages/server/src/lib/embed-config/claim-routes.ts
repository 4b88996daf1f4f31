import { VisitorClaim, VisitorClaimRequest } from '@inlay/protocol';
import { type Route, route } from '../http/route.ts';
import type { Services } from '../services.ts';
import { claimVisitor } from '../tokens/claim-visitor.ts';

/** Route with which a signed-in user takes over the conversations that they had as a visitor. */
export function claimRoutes(services: Services): Route[] {
  return [
    route(
      {
        method: 'post',
        path: '/agent/v1/embed/claim',
        audience: 'end_user',
        tag: 'Rights',
        summary: 'Take over the conversations of a visitor',
        description:
          'Call it only when the user agreed to. Moves the conversations and files of the visitor to the user of the token, with `allow_visitor_claim` in the embed policy. Then the `visitor_secret` is unknown, and the tokens of the visitor are revoked. The same user may repeat the request. Unknown, used and blocked secrets get the same response.',
        body: VisitorClaimRequest,
        response: VisitorClaim,
        problems: ['EMBED_FEATURE_DISABLED', 'NOT_FOUND'],
      },
      ({ c, caller, body }) => {
        c.header('cache-control', 'no-store');
        return claimVisitor(services, caller, body);
      },
    ),
  ];
}
