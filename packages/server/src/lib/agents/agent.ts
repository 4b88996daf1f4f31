import { createHash } from 'node:crypto';
import { idPrefix } from '@inlay/protocol';
import type { AgentConfig, AgentMode } from '../config/agent.ts';
import { EmbedPolicy, type PublishableKey } from '../config/embed-policy.ts';
import type { ModelConfig } from '../config/model.ts';
import type { ToolConfig } from '../config/tools.ts';

/** An agent as it stands: what the file declares, with what was changed at run time laid over it. */
export type Agent = AgentConfig & {
  readonly id: string;
  /** Latest version by the configuration file; null for an agent that was made at run time. */
  readonly declaredVersion: string | null;
  /** Null for one that the file declares. */
  readonly createdAt: number | null;
  readonly archivedAt: number | null;
  /** Every publishable key, of the settings and of run time, whether or not it may be used now. */
  readonly keys: readonly AgentKey[];
  /** When versions were made at run time. */
  readonly versionTimes: Readonly<Record<string, number>>;
};

/** A publishable key as it stands. */
export type AgentKey = Omit<PublishableKey, 'disabled' | 'ends_at'> & {
  /** Whether it stands in the agent's settings, and so can't be deleted at run time. */
  readonly isDeclared: boolean;
  readonly createdAt: number | null;
  readonly isDisabled: boolean;
  /** When it ends, for one that was replaced. */
  readonly endsAt: number | null;
};

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

/** Lets nobody in: what counts for an agent without a policy. */
const closedPolicy = EmbedPolicy.parse({});

export function policyOf(agent: Pick<Agent, 'embed'>): EmbedPolicy {
  return agent.embed ?? closedPolicy;
}

/** Whether a publishable key may be used at this moment. */
export function isKeyUsable(key: AgentKey, now: number): boolean {
  return !key.isDisabled && (key.endsAt === null || key.endsAt > now);
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
  return agentVersion(agent, asked ?? policyOf(agent).pinned_version ?? agent.version);
}
