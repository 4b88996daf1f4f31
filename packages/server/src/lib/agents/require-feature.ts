import type { Appearance } from '../config/agent.ts';
import { ApiError } from '../problems/api-error.ts';
import type { AgentRegistry } from './agent-registry.ts';

type Feature = keyof Appearance['features'];

/**
 * Checks that an agent's settings enable a feature.
 *
 * @throws ApiError `EMBED_FEATURE_DISABLED`.
 */
export function requireFeature(agents: AgentRegistry, agentId: string, feature: Feature): void {
  if (agents.find(agentId)?.appearance.features[feature]) return;
  throw new ApiError('EMBED_FEATURE_DISABLED', refusalMessages[feature]);
}

const refusalMessages: Record<Feature, string> = {
  attachments: 'This agent takes no attachments.',
  feedback: 'This agent takes no feedback.',
  threads: 'This agent keeps no list of conversations.',
  edit: 'With this agent, a message cannot be changed once it was sent.',
  export: 'Conversations with this agent cannot be exported.',
  delete: 'Conversations with this agent cannot be deleted.',
  forget_me: 'This agent does not let people delete everything at once. Ask the host.',
};
