import {
  AgentPage,
  AgentResource,
  AgentVersionList,
  AgentVersionResource,
  EmbedPolicyCheck,
} from '@inlay/protocol';
import * as z from 'zod';
import { decodeCursor, pageQuery, toPage } from '../http/paging.ts';
import { type Route, route } from '../http/route.ts';
import { notFound } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import { type Agent, agentVersion } from './agent.ts';
import { CheckEmbedRequest, CreateAgentRequest, UpdateAgentRequest } from './agent-requests.ts';
import { maximumBlockedInPage, toAgentResources, toVersionResource } from './agent-resource.ts';
import { checkAgent, withFieldErrors } from './check-agent.ts';
import { checkEmbed } from './check-embed.ts';
import { createAgent, setArchived } from './create-agent.ts';
import { findAgent } from './find-agent.ts';
import { updateAgent } from './update-agent.ts';

/**
 * Routes with which the host's backend creates, reads and changes agents. They are additions
 * to the API of docs/conformance.md.
 */
export function agentRoutes(services: Services): Route[] {
  const { agents } = services;
  const shared = { audience: 'backend', tag: 'Agents' } as const;

  return [
    route(
      {
        ...shared,
        method: 'get',
        path: '/agent/v1/agents',
        summary: 'List agents, newest first',
        description: `Each has at most the first ${maximumBlockedInPage} blocked end users, and \`blocked_end_user_count\`.`,
        query: z.looseObject({
          include_archived: z.enum(['true', 'false']).default('false'),
          ...pageQuery,
        }),
        response: AgentPage,
      },
      async ({ query }) => {
        const position = decodeCursor('agents', query.page);
        const listed = agents
          .list()
          .filter(({ archivedAt }) => query.include_archived === 'true' || archivedAt === null)
          .map((agent) => ({ id: agent.id, at: agent.createdAt ?? 0, agent }))
          .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
          .filter(
            ({ at, id }) =>
              !position || at < position.at || (at === position.at && id < position.id),
          );
        const page = toPage(
          'agents',
          listed,
          query.limit,
          ({ at }) => at,
          ({ agent }) => agent,
        );
        const data = await toAgentResources(services, page.data, maximumBlockedInPage);
        return { ...page, data };
      },
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: '/agent/v1/agents',
        summary: 'Create an agent',
        description:
          'The sections are those of the configuration file. Tokens can be issued once it has an embed policy, `embed`.',
        body: CreateAgentRequest,
        response: AgentResource,
        problems: ['CONFLICT'],
      },
      async ({ body }) => {
        const agent = await withFieldErrors(() =>
          createAgent(services, body, (draft) => checkAgent(services, body, draft)),
        );
        return toResource(agent);
      },
    ),

    route(
      {
        ...shared,
        method: 'get',
        path: '/agent/v1/agents/:id',
        summary: 'Read an agent, by id or short id',
        response: AgentResource,
        problems: ['NOT_FOUND'],
      },
      ({ param }) => toResource(findAgent(services, param('id'))),
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: '/agent/v1/agents/:id',
        summary: 'Change an agent at run time',
        description:
          'Takes effect immediately and survives a restart. Members that are left out keep their value. A change of instructions, model, tools or modes creates a new version, which new tokens get. `embed.blocked_end_users` replaces the whole blocklist, including users that the block operation added; the tokens of users who were not blocked before are revoked, and the tokens of visitors whose publishable key is removed.',
        body: UpdateAgentRequest,
        response: AgentResource,
        problems: ['NOT_FOUND', 'CONFLICT'],
      },
      async ({ param, body: { keep_version: keepVersion, ...changes } }) => {
        const { id } = findAgent(services, param('id'));
        const check = (draft: Agent) => checkAgent(services, changes, draft);
        const replacesBlocklist = changes.embed?.blocked_end_users !== undefined;
        const after = await withFieldErrors(() =>
          updateAgent(services, { id, changes, keepVersion, replacesBlocklist, check }),
        );
        return toResource(after);
      },
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: '/agent/v1/agents/:id/embed/check',
        summary: 'Check a change of the embed policy without storing it',
        description:
          'Has the errors of storing the change. `ends` counts the newly blocked users, with their tokens and running answers. `refuses` counts the live tokens that go beyond the changed policy: they stay valid until they expire, but pages of removed origins may be refused at once, and requests for such tokens are. `refused_origins` are those of the last 24 hours, at most 20 an hour; `allowed` is whether the changed policy allows them.',
        body: CheckEmbedRequest,
        response: EmbedPolicyCheck,
        unaudited: 'A check changes nothing.',
        problems: ['NOT_FOUND'],
      },
      async ({ param, body }) => {
        const { id } = findAgent(services, param('id'));
        return withFieldErrors(() => checkEmbed(services, id, body.embed));
      },
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: '/agent/v1/agents/:id/archive',
        summary: 'Archive an agent',
        description:
          'Its tokens are revoked, and no more are issued. Its running answers are interrupted. Conversations are kept. Its short id stays reserved.',
        response: AgentResource,
        problems: ['NOT_FOUND'],
      },
      async ({ param }) => {
        const agent = await setArchived(services, findAgent(services, param('id')), true);
        return toResource(agent);
      },
    ),

    route(
      {
        ...shared,
        method: 'post',
        path: '/agent/v1/agents/:id/restore',
        summary: 'Restore an archived agent',
        description: 'Tokens can be issued again immediately. Earlier tokens stay revoked.',
        response: AgentResource,
        problems: ['NOT_FOUND'],
      },
      async ({ param }) => {
        const agent = await setArchived(services, findAgent(services, param('id')), false);
        return toResource(agent);
      },
    ),

    route(
      {
        ...shared,
        method: 'get',
        path: '/agent/v1/agents/:id/versions',
        summary: 'List the versions of an agent, the latest last',
        description:
          'A token gets the requested version, else `embed.pinned_version`, else the latest.',
        response: AgentVersionList,
        problems: ['NOT_FOUND'],
      },
      async ({ param }) => {
        const agent = findAgent(services, param('id'));
        const names = [...Object.keys(agent.previous_versions), agent.version];
        return {
          data: names.flatMap((name) => {
            const version = agentVersion(agent, name);
            return version ? [toVersionResource(agent, version)] : [];
          }),
        };
      },
    ),

    route(
      {
        ...shared,
        method: 'get',
        path: '/agent/v1/agents/:id/versions/:version',
        summary: 'Read one version of an agent',
        response: AgentVersionResource,
        problems: ['NOT_FOUND'],
      },
      async ({ param }) => {
        const agent = findAgent(services, param('id'));
        const version = agentVersion(agent, param('version'));
        if (!version) throw notFound('This agent has no version of this name.');
        return toVersionResource(agent, version);
      },
    ),
  ];

  async function toResource(agent: Agent): Promise<AgentResource> {
    const [resource] = await toAgentResources(services, [agent]);
    if (!resource) throw new Error('The agent was not converted to a resource.');
    return resource;
  }
}
