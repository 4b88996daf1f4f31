import type { Session, SessionRecord } from '@inlay/protocol';
import type { Agent } from '../agents/agent.ts';
import { isoTime } from '../clock.ts';
import { microcentsPerCent } from '../runs/spending.ts';
import type { SessionsTable } from '../store/schema.ts';

/** Converts a row to the session of the API. `agent` is null if its configuration was removed. */
export function toSession(row: SessionsTable, agent: Agent | null): Session {
  const spent = Number(row.spent_microcents) / microcentsPerCent;
  return {
    type: 'session',
    id: row.id,
    agent: {
      type: 'agent',
      id: row.agent_id,
      name: agent?.name ?? row.agent_id,
      version: row.agent_version,
    },
    status: row.status,
    title: row.title,
    preview: row.preview,
    last_message: row.last_message,
    active_at: isoTime(Number(row.active_at)),
    requires_action: Number(row.requires_action) === 1,
    metadata: JSON.parse(row.metadata),
    budget:
      row.budget_cents === null
        ? null
        : { limit_cents: Number(row.budget_cents), spent_cents: spent },
    usage: {
      input_tokens: Number(row.input_tokens),
      output_tokens: Number(row.output_tokens),
      spent_cents: spent,
    },
    created_at: isoTime(Number(row.created_at)),
    updated_at: isoTime(Number(row.updated_at)),
    archived_at: row.archived_at === null ? null : isoTime(Number(row.archived_at)),
    terminated_reason: row.terminated_reason,
  };
}

/** Converts a row to the session that backends read with an API key. */
export function toSessionRecord(row: SessionsTable, agent: Agent | null): SessionRecord {
  const session = toSession(row, agent);
  return {
    ...session,
    external_user_id: row.external_user_id,
    issuance_id: row.issuance_id,
    publishable_key: row.publishable_key,
    agent_version: row.agent_version,
    spent_cents: session.usage.spent_cents,
    outcome: row.outcome || null,
  };
}
