import type { Api } from './api.ts';
import type { Filter } from './filters.ts';

/** An agent of the platform. */
export interface AgentName {
  readonly id: string;
  readonly name: string;
}

/** Loads the first 100 agents. */
export async function loadAgents(api: Api, signal?: AbortSignal): Promise<readonly AgentName[]> {
  const { data } = await api.get<{ data: readonly AgentName[] }>('agents', { limit: 100 }, signal);
  return data;
}

/** The filter that selects an agent. */
export function agentFilter(agents: readonly AgentName[]): Filter {
  const options = Object.fromEntries(agents.map(({ id, name }) => [id, name]));
  return { name: 'agent', label: 'Agent', options, isRequired: true };
}
