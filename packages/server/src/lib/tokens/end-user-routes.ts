import {
  BlockedEndUserPage,
  EndUser,
  EndUserRecord,
  EndUserRecordPage,
  ExternalUserId,
} from '@inlay/protocol';
import * as z from 'zod';
import type { Agent } from '../agents/agent.ts';
import { findAgent } from '../agents/find-agent.ts';
import { decodeCursor, pageQuery, toPage } from '../http/paging.ts';
import { type Call, type Route, type RouteDescription, route } from '../http/route.ts';
import { validate } from '../http/validate.ts';
import { notFound } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import { createBlockCheck, listBlocked, positionOf, toBlockedEndUser } from './end-user-blocks.ts';
import { blockUser, revokeUserTokens, unblockUser } from './end-users.ts';
import { EndUserQuery, listEndUsers, readEndUser } from './list-end-users.ts';

const Path = z.object({ external_user_id: ExternalUserId });

/** Path of an end user of an agent. */
export const endUserPath = '/agent/v1/agents/:agent_id/end_users/:external_user_id';

/**
 * Routes with which a backend ends or restores the access of an end user
 * (docs/conformance.md, 4.6).
 */
export function endUserRoutes(services: Services): Route[] {
  const shared = {
    method: 'post',
    audience: 'backend',
    tag: 'End users',
    endsAccess: true,
    response: EndUser,
    problems: ['NOT_FOUND'],
  } as const;

  const listServices = { ...services, findBlocked: createBlockCheck(services.pseudonyms) };

  return [
    route(
      {
        method: 'get',
        path: '/agent/v1/agents/:id/blocked_end_users',
        audience: 'backend',
        tag: 'End users',
        summary: 'List the blocked end users of an agent',
        description:
          'First those that only the settings of the agent block, then those that were blocked by the operation, each by id.',
        query: z.looseObject(pageQuery),
        response: BlockedEndUserPage,
        problems: ['NOT_FOUND'],
      },
      async ({ param, query }) => {
        const agent = findAgent(services, param('id'));
        const position = decodeCursor('blocked_end_users', query.page);
        const blocked = await listBlocked(services.store.db, agent, position, query.limit + 1);
        return toPage(
          'blocked_end_users',
          blocked.map((user) => ({ ...user, id: user.externalUserId })),
          query.limit,
          positionOf,
          toBlockedEndUser,
        );
      },
    ),
    route(
      {
        method: 'get',
        path: '/agent/v1/agents/:agent_id/end_users',
        audience: 'backend',
        tag: 'End users',
        summary: 'List the people who have written to an agent',
        description:
          'The latest first, by the day or the conversation of their last message. With `query` or `blocked`, a page may be short or empty and still have a `next_page`, because a request examines at most 1,000 people.',
        query: EndUserQuery,
        response: EndUserRecordPage,
        problems: ['NOT_FOUND'],
      },
      async ({ param, query }) =>
        listEndUsers(listServices, findAgent(services, param('agent_id')), query),
    ),
    route(
      {
        method: 'get',
        path: endUserPath,
        audience: 'backend',
        tag: 'End users',
        summary: 'Read a person who has written to an agent',
        response: EndUserRecord,
        problems: ['NOT_FOUND'],
      },
      async (call) => {
        const { agent, externalUserId } = findEndUser(services, call);
        return readEndUser(listServices, agent, externalUserId);
      },
    ),
    route(
      {
        ...shared,
        path: `${endUserPath}/revoke_tokens`,
        summary: 'Revoke all of an end user’s tokens',
        description: 'Streams end with `EMBED_TOKEN_REVOKED`, and runs are interrupted.',
      },
      async (call) => {
        const { agent, externalUserId } = findEndUser(services, call);
        return revokeUserTokens(services, agent, externalUserId);
      },
    ),
    route(
      {
        ...shared,
        path: `${endUserPath}/block`,
        summary: 'Block an end user',
        description:
          'Revokes all of the user’s tokens, and refuses new ones with `EMBED_USER_BLOCKED`.',
      },
      async (call) => {
        const { agent, externalUserId } = findEndUser(services, call);
        return blockUser(services, agent, externalUserId);
      },
    ),
    route(
      {
        ...shared,
        path: `${endUserPath}/unblock`,
        summary: 'Unblock an end user',
        description: 'New tokens can be issued immediately. Earlier tokens stay revoked.',
      },
      async (call) => {
        const { agent, externalUserId } = findEndUser(services, call);
        return unblockUser(services, agent, externalUserId);
      },
    ),
  ];
}

/**
 * Finds the agent and the id of the end user in the path of a request.
 *
 * @throws ApiError `NOT_FOUND` for an unknown agent; `VALIDATION_ERROR` for an invalid id of a user.
 */
export function findEndUser(
  { agents }: Pick<Services, 'agents'>,
  { param }: Pick<Call<RouteDescription>, 'param'>,
): { agent: Agent; externalUserId: string } {
  const path = validate(Path, { external_user_id: param('external_user_id') }, '/path');
  const agent = agents.find(param('agent_id'));
  if (!agent) throw notFound('There is no agent of this id or short id.');
  return { agent, externalUserId: path.external_user_id };
}
