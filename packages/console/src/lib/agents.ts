import type { Api } from './api.ts';

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

/** Loads the names of these agents by their id. */
export async function loadAgentNames(
  api: Api,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const agents = await loadAgents(api, signal);
  return new Map(agents.map(({ id, name }) => [id, name]));
}
