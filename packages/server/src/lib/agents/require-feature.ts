import type { EndUserCaller } from '../auth/caller.ts';
import type { Appearance } from '../config/agent.ts';
import { ApiError } from '../problems/api-error.ts';
import type { AgentRegistry } from './agent-registry.ts';

type Features = Appearance['features'];
type Feature = keyof Features;

/**
 * Returns the features that both the agent's settings and the token enable. A token of one session has
 * no feature that concerns others.
 */
export function featuresFor({ features, sessionId }: EndUserCaller, ofAgent: Features): Features {
  const off = Object.entries(features).filter(([, isOn]) => !isOn);
  const others = sessionId === null ? {} : { threads: false, forget_me: false };
  return { ...ofAgent, ...Object.fromEntries(off), ...others };
}

/**
 * Checks that the agent's settings and the caller's token enable a feature.
 *
 * @throws ApiError `EMBED_FEATURE_DISABLED`.
 */
export function requireFeature(
  agents: AgentRegistry,
  caller: EndUserCaller,
  feature: Feature,
): void {
  const ofAgent = agents.find(caller.agentId)?.appearance.features;
  if (!ofAgent?.[feature]) throw new ApiError('EMBED_FEATURE_DISABLED', refusalMessages[feature]);
  if (featuresFor(caller, ofAgent)[feature]) return;
  throw new ApiError(
    'EMBED_FEATURE_DISABLED',
    `The host issued this token without the feature \`${feature}\`.`,
  );
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
