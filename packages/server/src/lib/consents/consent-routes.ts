import { Consent, ConsentList, GiveConsentRequest } from '@inlay/protocol';
import { type Route, route } from '../http/route.ts';
import type { Services } from '../services.ts';
import { endUserPath, findEndUser } from '../tokens/end-user-routes.ts';
import { giveConsent, listConsents } from './consents.ts';

/** Routes that record that an end user agrees to the agent's consent text, and list these consents. */
export function consentRoutes(services: Services): Route[] {
  return [
    route(
      {
        method: 'post',
        path: '/agent/v1/embed/consents',
        audience: 'end_user',
        tag: 'Rights',
        summary: 'Agree to the consent text',
        description:
          'Records the text, the language of the widget and the time of this request. A repeated request returns the first consent to the text. A text that has been replaced since can still be agreed to.',
        body: GiveConsentRequest,
        response: Consent,
      },
      ({ caller, body }) => giveConsent(services, caller, body),
    ),
    route(
      {
        method: 'get',
        path: `${endUserPath}/consents`,
        audience: 'backend',
        tag: 'End users',
        summary: 'List the consents of an end user, the latest first',
        response: ConsentList,
        problems: ['NOT_FOUND'],
      },
      async (call) => {
        const { agent, externalUserId } = findEndUser(services, call);
        return {
          data: await listConsents(services.store.db, { agentId: agent.id, externalUserId }),
        };
      },
    ),
  ];
}
