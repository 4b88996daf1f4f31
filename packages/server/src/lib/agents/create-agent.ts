import { idPrefix } from '@inlay/protocol';
import { describeChange } from '../audit/audit.ts';
import { ApiError } from '../problems/api-error.ts';
import { newId } from '../random.ts';
import type { Services } from '../services.ts';
import type { Agent } from './agent.ts';
import { incrementRevision } from './agent-record.ts';
import { toAuditedAgent } from './agent-resource.ts';
import { saveVersions } from './agent-versions.ts';
import { requireFreeKeys } from './check-agent.ts';
import { checkSettingsSize } from './check-settings-size.ts';
import type { Overrides } from './merge-overrides.ts';

/**
 * Creates an agent that is not in the configuration file.
 *
 * @param check Called with the new agent before it is stored. Throws an error to reject the agent.
 * @throws ZodError if the settings are invalid.
 * @throws ApiError `CONFLICT` if the short id is taken.
 */
export async function createAgent(
  services: Services,
  settings: Overrides & { short_id: string },
  check: (agent: Agent) => void,
): Promise<Agent> {
  const { store, agents, clock, config, random } = services;
  const overrides = JSON.stringify(settings);
  checkSettingsSize(config.limits, overrides);
  const id = newId(random, idPrefix.agent);
  const now = clock.now();
  const row = {
    id,
    short_id: settings.short_id,
    overrides,
    version: '1',
    version_base: null,
    created_at: now,
    updated_at: now,
    archived_at: null,
    revision: 1,
  };
  const agent = agents.build(id, { row, versions: [], keys: [] });
  if (!agent) throw new Error('the new agent was not built');
  check(agent);
  if (agents.find(settings.short_id)) throw shortIdConflict(settings.short_id);
  describeChange({ subject: `agents/${id}`, after: toAuditedAgent(agent, now) });
  await store.transaction(async (db) => {
    await requireFreeKeys(services, db, settings, agent);
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('agents')
      .values(row)
      .onConflict((conflict) => conflict.column('short_id').doNothing())
      .executeTakeFirstOrThrow();
    if (!numInsertedOrUpdatedRows) throw shortIdConflict(settings.short_id);
    await saveVersions(db, [agent], now);
  });
  return (await agents.publishChange(id)) ?? agent;
}

/**
 * Archives or restores an agent. Archiving revokes the agent's tokens and interrupts its runs; no
 * tokens are issued until the agent is restored.
 */
export async function setArchived(
  services: Services,
  agent: Agent,
  isArchived: boolean,
): Promise<Agent> {
  const { store, clock, agents } = services;
  const now = clock.now();
  await store.transaction(async (db) => {
    await incrementRevision(db, { agentId: agent.id, now });
    await db
      .updateTable('agents')
      .set({ archived_at: isArchived ? now : null })
      .where('id', '=', agent.id)
      .where('archived_at', isArchived ? 'is' : 'is not', null)
      .execute();
    if (!isArchived) return;
    await db
      .updateTable('issuances')
      .set({ revoked_at: now })
      .where('agent_id', '=', agent.id)
      .where('revoked_at', 'is', null)
      .execute();
  });
  return (await agents.publishChange(agent.id)) ?? agent;
}

function shortIdConflict(shortId: string): ApiError {
  const message = `\`${shortId}\` is the short id of another agent`;
  return new ApiError('CONFLICT', `${message}. Choose another \`short_id\`.`, {
    errors: [{ pointer: '/short_id', message }],
  });
}
