/**
 * How a token is issued and stored:
 *
 * 1. The page requests a token from the host's backend, where `createTokenEndpoint` of
 *    `@inlay/node` asks the host who is signed in, and calls `POST /agent/v1/embed_tokens` with the
 *    API key.
 * 2. `apply-policy.ts` checks the request against the agent's embed policy.
 * 3. `create-issuance.ts` writes the record and the hash of the token. The token itself is in the
 *    response only.
 * 4. Later requests carry the token: `auth/authenticate.ts` finds its hash in the store, checks the
 *    origin of the page, and admits the caller.
 */

import {
  IssuanceRecord,
  IssuanceRecordPage,
  IssueTokenRequest,
  IssueTokenResponse,
  idPrefix,
} from '@inlay/protocol';
import * as z from 'zod';
import { actorOf } from '../audit/audit-request.ts';
import { oneOf, textFilter, timeFilter } from '../http/filters.ts';
import { decodeCursor, encodeCursor, pageQuery } from '../http/paging.ts';
import { type Route, route } from '../http/route.ts';
import { notFound } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import { applyPolicy } from './apply-policy.ts';
import { createIssuer } from './create-issuance.ts';
import { revokedTokens } from './end-users.ts';
import {
  findIssuance,
  listIssuances,
  markExpired,
  markRevoked,
  toIssuanceRecord,
} from './issuances.ts';

/**
 * Routes with which the host's backend issues, lists and ends embed tokens
 * (docs/conformance.md, 4.1, 4.4 and 4.5).
 */
export function tokenRoutes(services: Services): Route[] {
  const { store, clock, bus, agents, baseUrl, sessions, webhooks } = services;
  const issue = createIssuer(services);

  return [
    route(
      {
        method: 'post',
        path: '/agent/v1/embed_tokens',
        audience: 'backend',
        tag: 'Embed tokens',
        summary: 'Issue an embed token for one end user',
        description:
          'Each call creates a new record and a new token; the token cannot be read again. With `hosted`, the response has a `hosted_url`, whose `#c=` code works once, within 60 seconds. `system_message` has at most 8192 bytes, counted over the texts of all blocks.',
        body: IssueTokenRequest,
        response: IssueTokenResponse,
        problems: ['EMBED_USER_BLOCKED', 'EMBED_FIELD_NOT_ALLOWED', 'NOT_FOUND'],
        unaudited: 'Each token has an issuance record, which names the API key.',
      },
      async ({ body, caller }) => {
        const agent = agents.find(body.agent);
        if (!agent) throw notFound('There is no agent of this id or short id. Check `agent`.');
        const policed = applyPolicy(agent, body, services.config.prices);
        const grant = { ...policed, issuedBy: actorOf(caller) };
        const owner = { agentId: agent.id, externalUserId: grant.externalUserId };
        if (grant.sessionId !== null && !(await sessions.findOwn(owner, grant.sessionId))) {
          throw notFound('`session_id` is not a session of this user with this agent.');
        }
        const issued = await issue(grant);
        const hostedUrl =
          issued.exchangeCode && `${baseUrl}/hosted/?agent=${agent.id}#c=${issued.exchangeCode}`;
        return {
          id: issued.id,
          token: issued.token,
          expires_at: issued.expiresAt,
          ...(hostedUrl && { hosted_url: hostedUrl }),
        };
      },
    ),

    route(
      {
        method: 'get',
        path: '/agent/v1/embed_tokens',
        audience: 'backend',
        tag: 'Embed tokens',
        summary: 'List issuance records, newest first',
        description:
          'Records do not contain the token. With `status` or several filters, a page may be short or empty and still have a `next_page`.',
        query: z.looseObject({
          agent_id: z.string().optional().describe('Id or short id of an agent.'),
          external_user_id: z.string().optional(),
          publishable_key: textFilter('Only tokens of visitors with this key.'),
          status: oneOf(['active', 'expired', 'revoked']).optional(),
          created_after: timeFilter('Only tokens that were issued later.'),
          ...pageQuery,
        }),
        response: IssuanceRecordPage,
      },
      async ({ query }) => {
        const { rows, next } = await listIssuances(store.db, {
          agentId: query.agent_id && (agents.find(query.agent_id)?.id ?? query.agent_id),
          externalUserId: query.external_user_id,
          publishableKey: query.publishable_key,
          status: query.status,
          createdAfter: query.created_after,
          now: clock.now(),
          position: decodeCursor('issuances', query.page),
          limit: query.limit,
        });
        const cursor = next && encodeCursor('issuances', next);
        return { data: rows.map(toIssuanceRecord), next_cursor: cursor, next_page: cursor };
      },
    ),

    route(
      {
        method: 'get',
        path: '/agent/v1/embed_tokens/:id',
        audience: 'backend',
        tag: 'Embed tokens',
        summary: 'Read one issuance record',
        description: 'The record does not contain the token.',
        response: IssuanceRecord,
        problems: ['NOT_FOUND'],
      },
      ({ param }) => readRecord(param('id')),
    ),

    route(
      {
        method: 'post',
        path: '/agent/v1/embed_tokens/:id/revoke',
        endsAccess: true,
        audience: 'backend',
        tag: 'Embed tokens',
        summary: 'Revoke one embed token',
        description:
          'The token becomes invalid immediately, and its streams end with `EMBED_TOKEN_REVOKED`. Repeating the request returns the same record.',
        response: IssuanceRecord,
        problems: ['NOT_FOUND'],
      },
      async ({ param }) => {
        const id = param('id');
        const { isChanged, endpointIds } = await store.priority.transaction(async (db) => {
          const user = await markRevoked(db, id, clock.now());
          // In the transaction, so that a refused request leaves no entry in the audit record.
          if (!user) await readRecord(id, db);
          const drafts = () => (user ? revokedTokens(user, [id]) : []);
          return { isChanged: user !== null, endpointIds: await webhooks.record(db, drafts) };
        });
        webhooks.deliver(endpointIds);
        if (isChanged) {
          const code = 'EMBED_TOKEN_REVOKED';
          await bus.publish({ kind: 'token_ended', issuanceId: id, code, at: clock.now() });
        }
        return readRecord(id, store.priority.db);
      },
    ),

    route(
      {
        method: 'post',
        path: '/agent/v1/embed_tokens/:id/expire',
        audience: 'backend',
        tag: 'Embed tokens',
        summary: 'Make one embed token expire now',
        description:
          'For testing what a page does when its token expires. Its streams end with `EMBED_TOKEN_EXPIRED`. A token that has already ended does not change.',
        response: IssuanceRecord,
        problems: ['NOT_FOUND'],
      },
      async ({ param }) => {
        const id = param('id');
        const changed = await store.transaction(async (db) => {
          const isChanged = await markExpired(db, id, clock.now());
          if (!isChanged) await readRecord(id, db);
          return isChanged;
        });
        if (changed) {
          const code = 'EMBED_TOKEN_EXPIRED';
          await bus.publish({ kind: 'token_ended', issuanceId: id, code, at: clock.now() });
        }
        return readRecord(id);
      },
    ),
  ];

  async function readRecord(id: string, db = store.db): Promise<IssuanceRecord> {
    const row = await findIssuance(db, id);
    if (!row) {
      throw notFound(
        `There is no embed token of this id. Ids begin with \`${idPrefix.issuance}\`.`,
      );
    }
    return toIssuanceRecord(row);
  }
}
