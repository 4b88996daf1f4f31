import { createHash } from 'node:crypto';
import { idPrefix } from '@inlay/protocol';
import type { AgentConfig, AgentMode } from '../config/agent.ts';
import type { ModelConfig } from '../config/model.ts';
import type { ToolConfig } from '../config/tools.ts';

/** An agent as it stands: configuration, with what was changed at run time laid over it. */
export type Agent = AgentConfig & { readonly id: string };

/** What a version settles: fixed for a token once issued, and for its sessions. */
export interface AgentVersion {
  version: string;
  instructions: string;
  model: ModelConfig;
  tools: readonly ToolConfig[];
  modes: readonly AgentMode[];
}

/** Made from the short id, so that an agent keeps its id from start to start without a store. */
export function agentIdOf(config: Pick<AgentConfig, 'id' | 'short_id'>): string {
  if (config.id) return config.id;
  const digest = createHash('sha256').update(`agent:${config.short_id}`).digest('hex');
  return idPrefix.agent + digest.slice(0, 20);
}

/** Null for a version that the agent does not have. */
export function agentVersion(agent: Agent, version: string): AgentVersion | null {
  const { instructions, model, tools, modes } = agent;
  const latest = { instructions, model, tools, modes };
  if (version === agent.version) return { version, ...latest };
  const previous = Object.hasOwn(agent.previous_versions, version)
    ? agent.previous_versions[version]
    : undefined;
  if (!previous) return null;
  return {
    version,
    instructions: previous.instructions ?? latest.instructions,
    model: previous.model ?? latest.model,
    tools: previous.tools ?? latest.tools,
    modes: previous.modes ?? latest.modes,
  };
}

/** The version that a token gets: the one it asks for, else the pinned one, else the latest. */
export function versionForToken(agent: Agent, asked: string | undefined): AgentVersion | null {
  return agentVersion(agent, asked ?? agent.embed.pinned_version ?? agent.version);
}
