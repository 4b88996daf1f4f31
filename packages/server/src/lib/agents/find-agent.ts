import { notFound } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import type { Agent, AgentKey } from './agent.ts';

/** The agent that a path names, by id or short id; archived ones as well. Throws a 404. */
export function findAgent({ agents }: Services, idOrShortId: string): Agent {
  const agent = agents.find(idOrShortId);
  if (!agent) throw notFound('There is no agent of this id or short id.');
  return agent;
}

/** Throws a 404. */
export function findKey(agent: Agent, key: string): AgentKey {
  const found = agent.keys.find((candidate) => candidate.key === key);
  if (!found) throw notFound('This agent has no such publishable key.');
  return found;
}
