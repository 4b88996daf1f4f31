import { notFound } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import type { Agent, AgentKey } from './agent.ts';

/**
 * Finds an agent, including archived ones, by id or short id.
 *
 * @throws ApiError `NOT_FOUND`.
 */
export function findAgent({ agents }: Services, idOrShortId: string): Agent {
  const agent = agents.find(idOrShortId);
  if (!agent) throw notFound('There is no agent of this id or short id.');
  return agent;
}

/**
 * Finds a publishable key of an agent.
 *
 * @throws ApiError `NOT_FOUND`.
 */
export function findKey(agent: Agent, key: string): AgentKey {
  const found = agent.keys.find((candidate) => candidate.key === key);
  if (!found) throw notFound('This agent has no such publishable key.');
  return found;
}
