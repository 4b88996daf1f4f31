import type { AgentResource, AgentVersionResource, PublishableKeyResource } from '@inlay/protocol';
import { isoTimeOrNull } from '../clock.ts';
import { visitorQuotas } from '../config/embed-policy.ts';
import type { Services } from '../services.ts';
import {
  type BlockedSummary,
  summarizeBlocked,
  toBlockedEndUser,
} from '../tokens/end-user-blocks.ts';
import {
  type Agent,
  type AgentKey,
  type AgentVersion,
  policyOf,
  versionForToken,
} from './agent.ts';

/** Maximum blocked end users in each agent of a page. */
export const maximumBlockedInPage = 10;

/**
 * Converts agents to the resources of the API. A resource contains no secret: its model has only the
 * name of the environment variable with the API key.
 *
 * @param maximum Maximum blocked end users in each resource. By default all of them: an update replaces
 *   the whole list, so that a caller who sends back an incomplete one would unblock the other users.
 */
export async function toAgentResources(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  agents: readonly Agent[],
  maximum = Number.MAX_SAFE_INTEGER,
): Promise<AgentResource[]> {
  const blocked = await summarizeBlocked(store.db, agents, maximum);
  const none = { first: [], count: 0 };
  return agents.map((agent) => toResource(agent, blocked.get(agent.id) ?? none, clock.now()));
}

function toResource(agent: Agent, blocked: BlockedSummary, now: number): AgentResource {
  return {
    type: 'agent',
    id: agent.id,
    short_id: agent.short_id,
    name: agent.name,
    description: agent.description,
    version: agent.version,
    versions: [...Object.keys(agent.previous_versions), agent.version],
    ...toVersionedSettings(agent),
    embed: agent.embed && {
      ...agent.embed,
      blocked_end_users: blocked.first.map(({ externalUserId }) => externalUserId),
    },
    blocked_end_users: blocked.first.map(toBlockedEndUser),
    blocked_end_user_count: blocked.count,
    publishable_keys: agent.keys.map((key) => toKeyResource(agent, key, now)),
    appearance: agent.appearance,
    retention: agent.retention,
    hosted: agent.hosted,
    declared: agent.declaredVersion !== null,
    created_at: isoTimeOrNull(agent.createdAt),
    archived_at: isoTimeOrNull(agent.archivedAt),
  };
}

/** Returns the settings of an agent for the audit record, without the ids of blocked users. */
export function toAuditedAgent(agent: Agent, now: number): AgentResource {
  const count = policyOf(agent).blocked_end_users.length;
  return toResource(agent, { first: [], count }, now);
}

export function toVersionResource(agent: Agent, version: AgentVersion): AgentVersionResource {
  return {
    type: 'agent_version',
    agent_id: agent.id,
    version: version.version,
    default: versionForToken(agent, undefined)?.version === version.version,
    created_at: isoTimeOrNull(agent.versionTimes.get(version.version) ?? null),
    ...toVersionedSettings(version),
  };
}

export function toKeyResource(agent: Agent, key: AgentKey, now: number): PublishableKeyResource {
  return {
    type: 'publishable_key',
    key: key.key,
    agent_id: agent.id,
    name: key.name ?? null,
    status: keyStatus(key, now),
    declared: key.isDeclared,
    allowed_origins: key.allowed_origins ?? null,
    sessions_per_day: key.sessions_per_day,
    spend_cents_per_day: key.spend_cents_per_day,
    file_bytes_per_day: key.file_bytes_per_day,
    unsent_file_bytes: key.unsent_file_bytes,
    reserve_percent: key.reserve_percent,
    ...visitorQuotas(key),
    new_visitors_per_hour: key.new_visitors_per_hour,
    refreshes_per_visitor_per_hour: key.refreshes_per_visitor_per_hour,
    budget_cents: key.budget_cents ?? null,
    created_at: isoTimeOrNull(key.createdAt),
    ends_at: isoTimeOrNull(key.endsAt),
  };
}

function toVersionedSettings({ instructions, model, tools, modes }: Omit<AgentVersion, 'version'>) {
  return {
    instructions,
    model,
    tools: tools.map((tool) => ({
      type: tool.type,
      name: tool.name,
      description: tool.description,
      input_schema: tool.input_schema,
      permission: tool.permission,
    })),
    modes: [...modes],
  };
}

function keyStatus({ isDisabled, endsAt }: AgentKey, now: number): string {
  if (isDisabled) return 'disabled';
  if (endsAt === null) return 'active';
  return endsAt > now ? 'ending' : 'ended';
}
