import { ApiError, notFound } from '../problems/api-error.ts';
import type { Services } from '../services.ts';
import type { Agent } from './agent.ts';
import { type AgentRecord, ensureAgentRow, readAgentRecord } from './agent-record.ts';
import { nextVersion, noteVersions } from './agent-versions.ts';
import { toSettings } from './build-agent.ts';
import { mergeOverrides, type Overrides } from './merge-overrides.ts';
import { requireSmallSettings } from './settings-size.ts';

/** So often others may come first. Changes of one agent are rare. */
const attempts = 20;

interface Wanted {
  id: string;
  changes: Overrides;
  /** Changes the latest version itself, where a version is concerned, and makes no new one. */
  keepVersion: boolean;
  /** Sees the outcome before it is written, and throws where it could not stand. */
  check: (after: Agent) => void;
}

interface Update {
  before: Agent;
  after: Agent;
}

/**
 * Lays changes over an agent for good, and at once. A change of what a version settles makes a new
 * version; tokens that have the old one keep it.
 * Throws a zod error where the outcome could not stand; nothing is changed then.
 */
export async function updateAgent(services: Services, wanted: Wanted): Promise<Update> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const update = await tryToUpdate(services, wanted);
    if (!update) continue;
    const after = await services.agents.changed(wanted.id);
    return { before: update.before, after: after ?? update.after };
  }
  throw new ApiError('CONFLICT', 'This agent is being changed all the time. Try again.');
}

/** Null where somebody else changed the agent in between: then their change has to be seen first. */
async function tryToUpdate(
  { store, agents, clock, config }: Services,
  { id, changes, keepVersion, check }: Wanted,
): Promise<Update | null> {
  const now = clock.now();
  const record = await readAgentRecord(store.db, id);
  const build = (of: AgentRecord): Agent => {
    const agent = agents.build(id, of);
    if (!agent) throw notFound('There is no agent of this id or short id.');
    return agent;
  };
  const before = build(record);
  const was = record.row ?? newRow(id, now);
  const row = {
    ...was,
    overrides: JSON.stringify(mergeOverrides(JSON.parse(was.overrides), changes)),
  };
  requireSmallSettings(config.limits, row.overrides);
  const sameVersion = build({ ...record, row });
  const settles = toSettings(sameVersion) !== toSettings(before);
  const isNewVersion = settles && !keepVersion;
  if (isNewVersion) {
    row.version = nextVersion(before);
    row.version_base = before.declaredVersion;
  }
  const kept = { version: before.version, settings: toSettings(before), created_at: now };
  const after = isNewVersion
    ? build({ ...record, row, versions: [...record.versions, kept] })
    : sameVersion;
  check(after);

  const { overrides, version, version_base, revision } = row;
  const isWritten = await store.transaction(async (db) => {
    await ensureAgentRow(db, { agentId: id, now });
    const { numUpdatedRows } = await db
      .updateTable('agents')
      .set({ overrides, version, version_base, updated_at: now, revision: revision + 1 })
      .where('id', '=', id)
      .where('revision', '=', revision)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    if (settles) await noteVersions(db, isNewVersion ? [before, after] : [after], now);
    return true;
  });
  return isWritten ? { before, after } : null;
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
