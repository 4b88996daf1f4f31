import { createHash } from 'node:crypto';
import { idPrefix } from '@inlay/protocol';
import type { AgentConfig, AgentMode } from '../config/agent.ts';
import { EmbedPolicy, type PublishableKey } from '../config/embed-policy.ts';
import type { ModelConfig } from '../config/model.ts';
import type { ToolConfig } from '../config/tools.ts';

/**
 * The current settings of an agent: the configuration file, merged with changes at run time.
 */
export type Agent = AgentConfig & {
  readonly id: string;
  /** Latest version in the configuration file; null for an agent that was created at run time. */
  readonly declaredVersion: string | null;
  /** Milliseconds since the epoch; null for an agent of the configuration file. */
  readonly createdAt: number | null;
  readonly archivedAt: number | null;
  /** All publishable keys, declared in the settings or created at run time, usable or not. */
  readonly keys: readonly AgentKey[];
  /** Milliseconds since the epoch at which versions were created at run time, by version. */
  readonly versionTimes: ReadonlyMap<string, number>;
};

/** A publishable key with its current state. */
export type AgentKey = Omit<PublishableKey, 'disabled' | 'ends_at'> & {
  /**
   * Whether the agent's settings declare the key. Such a key can only be changed and deleted there.
   */
  readonly isDeclared: boolean;
  readonly createdAt: number | null;
  readonly isDisabled: boolean;
  /** Milliseconds since the epoch; null unless the key was replaced or declares an end. */
  readonly endsAt: number | null;
};

/**
 * The versioned settings of an agent. A token and its sessions keep the version that the token was
 * issued for.
 */
export interface AgentVersion {
  version: string;
  instructions: string;
  model: ModelConfig;
  tools: readonly ToolConfig[];
  modes: readonly AgentMode[];
}

/**
 * Returns the configured id of an agent, or else an id derived from its short id. The derived id is
 * the same after a restart, although it is not stored.
 */
export function agentIdOf(config: Pick<AgentConfig, 'id' | 'short_id'>): string {
  if (config.id) return config.id;
  const digest = createHash('sha256').update(`agent:${config.short_id}`).digest('hex');
  return idPrefix.agent + digest.slice(0, 20);
}

/** Policy of an agent without `embed`, which gets no tokens. The policy allows no origin. */
const emptyPolicy = EmbedPolicy.parse({}, { jitless: true });

export function policyOf(agent: Pick<Agent, 'embed'>): EmbedPolicy {
  return agent.embed ?? emptyPolicy;
}

/** Whether a publishable key may be used at this moment. */
export function isKeyUsable(key: AgentKey, now: number): boolean {
  return !key.isDisabled && (key.endsAt === null || key.endsAt > now);
}

/** Returns a version of an agent; null if the agent does not have it. */
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

/**
 * Returns the version for a new token: the requested one, else the pinned one, else the latest.
 * Returns null if the agent does not have this version.
 */
export function versionForToken(agent: Agent, requested: string | undefined): AgentVersion | null {
  return agentVersion(agent, requested ?? policyOf(agent).pinned_version ?? agent.version);
}
