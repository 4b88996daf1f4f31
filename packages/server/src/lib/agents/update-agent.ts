import { describeChange, differenceOf } from '../audit/audit.ts';
import { ApiError, notFound } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import type { Agent } from './agent.ts';
import { type AgentRecord, ensureAgentRow, readAgentRecord } from './agent-record.ts';
import { toAuditedAgent } from './agent-resource.ts';
import { nextVersion, saveVersions } from './agent-versions.ts';
import { serializeVersion } from './build-agent.ts';
import { requireFreeKeys } from './check-agent.ts';
import { checkSettingsSize } from './check-settings-size.ts';
import { type EndedAccess, enforceAgentChange, finishAgentChange } from './enforce-agent-change.ts';
import { mergeOverrides, type Overrides } from './merge-overrides.ts';

/** Maximum number of attempts of an update while concurrent requests change the same agent. */
const maxAttempts = 20;

interface UpdateRequest {
  id: string;
  changes: Overrides;
  /**
   * Whether a change of versioned settings modifies the latest version instead of creating a new
   * one.
   */
  keepVersion: boolean;
  /** Whether the change sets `embed.blocked_end_users`. */
  replacesBlocklist: boolean;
  /** Called with the changed agent before it is stored. Throws an error to reject the change. */
  check: (after: Agent) => void;
}

/** A stored change. */
interface Update {
  after: Agent;
  endedAccess: EndedAccess;
}

/**
 * Changes an agent. Unless `keepVersion` is set, a change of versioned settings creates a new
 * version, and existing tokens keep their version. Tokens that the change makes invalid are revoked.
 *
 * @returns The changed agent.
 * @throws ZodError if the changed settings are invalid. The agent is then unchanged.
 * @throws ApiError `CONFLICT` if concurrent changes invalidate every attempt.
 */
export async function updateAgent(services: Services, request: UpdateRequest): Promise<Agent> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const update = await tryToUpdate(services, request).catch((error: unknown) => {
      if (error instanceof AgentChangedError) return null;
      throw error;
    });
    if (!update) continue;
    const after = (await services.agents.publishChange(request.id)) ?? update.after;
    await finishAgentChange(services, after, update.endedAccess);
    return after;
  }
  throw new ApiError(
    'CONFLICT',
    'This agent was changed by other requests at the same time. Try again.',
  );
}

/** Another request has changed the agent since it was read. Rolls the transaction back. */
class AgentChangedError extends Error {
  override readonly name = 'AgentChangedError';
}

/** @throws AgentChangedError The caller then retries. */
async function tryToUpdate(services: Services, request: UpdateRequest): Promise<Update> {
  const { store, clock, config, webhooks } = services;
  const { id, changes, replacesBlocklist } = request;
  const now = clock.now();
  const { row, before, after, isVersionChanged } = await draftUpdate(services, request);
  const isNewVersion = after.version !== before.version;
  const { overrides, version, version_base, revision } = row;
  describeChange(differenceOf(toAuditedAgent(before, now), toAuditedAgent(after, now)));
  return store.transaction(async (db) => {
    await requireFreeKeys({ store, config }, db, changes, after);
    await ensureAgentRow(db, { agentId: id, now });
    const { numUpdatedRows } = await db
      .updateTable('agents')
      .set({ overrides, version, version_base, updated_at: now, revision: revision + 1 })
      .where('id', '=', id)
      .where('revision', '=', revision)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new AgentChangedError();
    if (isVersionChanged) await saveVersions(db, isNewVersion ? [before, after] : [after], now);
    const change = { before, after, replacesBlocklist, now };
    return { after, endedAccess: await enforceAgentChange({ webhooks }, db, change) };
  });
}

/** A change that was checked and not stored. */
interface DraftUpdate {
  /** The row to store. Its `revision` is that before the change. */
  row: NonNullable<AgentRecord['row']>;
  before: Agent;
  after: Agent;
  /** Whether versioned settings change. */
  isVersionChanged: boolean;
}

/**
 * Checks a change of an agent without storing it.
 *
 * @throws ZodError if the changed settings are invalid, or the error of `check`.
 */
export async function draftUpdate(
  { store, agents, clock, config }: Pick<Services, 'store' | 'agents' | 'clock' | 'config'>,
  { id, changes, keepVersion, check }: Omit<UpdateRequest, 'replacesBlocklist'>,
): Promise<DraftUpdate> {
  const now = clock.now();
  const record = await readAgentRecord(store.db, id);
  const build = (from: AgentRecord): Agent => {
    const agent = agents.build(id, from);
    if (!agent) throw notFound('There is no agent of this id or short id.');
    return agent;
  };
  const before = build(record);
  const current = record.row ?? newRow(id, now);
  const row = {
    ...current,
    overrides: JSON.stringify(mergeOverrides(JSON.parse(current.overrides), changes)),
  };
  checkSettingsSize(config.limits, row.overrides);
  const sameVersion = build({ ...record, row });
  const isVersionChanged = serializeVersion(sameVersion) !== serializeVersion(before);
  const isNewVersion = isVersionChanged && !keepVersion;
  if (isNewVersion) {
    row.version = nextVersion(before);
    row.version_base = before.declaredVersion;
  }
  const previous = { version: before.version, settings: serializeVersion(before), created_at: now };
  const after = isNewVersion
    ? build({ ...record, row, versions: [...record.versions, previous] })
    : sameVersion;
  check(after);
  return { row, before, after, isVersionChanged };
}

function newRow(id: string, now: number): NonNullable<AgentRecord['row']> {
  return {
    id,
    overrides: '{}',
    updated_at: now,
    short_id: null,
    version: null,
    version_base: null,
    created_at: null,
    archived_at: null,
    revision: 0,
  };
}
