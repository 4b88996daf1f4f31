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
