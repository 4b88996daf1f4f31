import { ZodError } from 'zod';
import type { Services } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { invalid, toFieldError } from '../http/validate.ts';
import { notFound } from '../problems/api-error.ts';
import { blockUser, unblockUser } from '../tokens/end-users.ts';
import type { Agent } from './agent.ts';
import { AgentPage, AgentResource, toAgentResource, UpdateAgentRequest } from './agent-resource.ts';
import type { Overrides } from './merge-overrides.ts';

/** Agents as the host's backend sees and changes them: an extension of the interface. */
export function agentRoutes(services: Services): Route[] {
  const { agents } = services;

  return [
    route(
      {
        method: 'get',
        path: '/agent/v1/agents',
        audience: 'backend',
        tag: 'Agents',
        summary: 'List agents',
        answer: AgentPage,
      },
      async () => ({
        data: agents.list().map(toAgentResource),
        next_cursor: null,
        next_page: null,
      }),
    ),

    route(
      {
        method: 'get',
        path: '/agent/v1/agents/:id',
        audience: 'backend',
        tag: 'Agents',
        summary: 'Read an agent, by id or short id',
        answer: AgentResource,
        problems: ['NOT_FOUND'],
      },
      async ({ param }) => toAgentResource(find(param('id'))),
    ),

    route(
      {
        method: 'post',
        path: '/agent/v1/agents/:id',
        audience: 'backend',
        tag: 'Agents',
        summary: 'Change an agent at run time',
        description:
          'Takes effect at once and outlives a restart. What is left out stays. End users who join `embed.blocked_end_users` lose their tokens, as with the block operation.',
        body: UpdateAgentRequest,
        answer: AgentResource,
        problems: ['NOT_FOUND'],
      },
      async ({ param, body }) => {
        const before = find(param('id'));
        const after = await update(before, body);
        await followBlocklist(before, after);
        return toAgentResource(after);
      },
    ),
  ];

  function find(idOrShortId: string): Agent {
    const agent = agents.find(idOrShortId);
    if (!agent) throw notFound('There is no agent of this id or short id.');
    return agent;
  }

  async function update(agent: Agent, changes: Overrides): Promise<Agent> {
    try {
      return await agents.update(agent, changes);
    } catch (error) {
      if (!(error instanceof ZodError)) throw error;
      throw invalid(error.issues.map((issue) => toFieldError(issue)));
    }
  }

  /** Without this, an earlier unblock would stand over the list, and open streams would go on. */
  async function followBlocklist(before: Agent, after: Agent): Promise<void> {
    const was = new Set(before.embed.blocked_end_users);
    const is = new Set(after.embed.blocked_end_users);
    for (const user of is) if (!was.has(user)) await blockUser(services, after, user);
    for (const user of was) if (!is.has(user)) await unblockUser(services, after, user);
  }
}
