import type { Kysely, Selectable } from 'kysely';
import type { AgentsTable, PublishableKeysTable, Schema } from '../store/schema.ts';

/** The stored data of one agent. */
export interface AgentRecord {
  /** Null for an agent of the configuration file that was never changed at run time. */
  row: Selectable<AgentsTable> | null;
  versions: readonly { version: string; settings: string; created_at: number }[];
  keys: readonly Selectable<PublishableKeysTable>[];
}

export const emptyRecord: AgentRecord = { row: null, versions: [], keys: [] };

/**
 * Reads the record of one agent. The row is read first: if the agent changes between the queries,
 * the record has the old revision. The registry then loads the agent again, and `updateAgent`
 * retries.
 */
export async function readAgentRecord(db: Kysely<Schema>, id: string): Promise<AgentRecord> {
  const row = await db.selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) return emptyRecord;
  const versions = await selectVersions(db).where('agent_id', '=', id).execute();
  const keys = await selectKeys(db).where('agent_id', '=', id).execute();
  return { row, versions, keys };
}

/** Reads the records of all agents, oldest first, with one query per table. */
export async function readAllAgentRecords(db: Kysely<Schema>): Promise<Map<string, AgentRecord>> {
  const rows = await db.selectFrom('agents').selectAll().orderBy('created_at').execute();
  const versions = groupByAgent(await selectVersions(db).execute());
  const keys = groupByAgent(await selectKeys(db).execute());
  return new Map(
    rows.map((row) => [
      row.id,
      { row, versions: versions.get(row.id) ?? [], keys: keys.get(row.id) ?? [] },
    ]),
  );
}

function groupByAgent<Row extends { agent_id: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.agent_id);
    if (group) group.push(row);
    else groups.set(row.agent_id, [row]);
  }
  return groups;
}

const selectVersions = (db: Kysely<Schema>) =>
  db.selectFrom('agent_versions').selectAll().orderBy('created_at').orderBy('version');

const selectKeys = (db: Kysely<Schema>) =>
  db.selectFrom('publishable_keys').selectAll().orderBy('created_at').orderBy('key');

/** Increments the revision of an agent, in the transaction that changes it. */
export async function incrementRevision(
  db: Kysely<Schema>,
  { agentId, now }: { agentId: string; now: number },
): Promise<void> {
  await ensureAgentRow(db, { agentId, now });
  await db
    .updateTable('agents')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1), updated_at: now }))
    .where('id', '=', agentId)
    .execute();
}

/**
 * Inserts the row of an agent if it does not exist. An agent of the configuration file has no row
 * until its first change.
 */
export async function ensureAgentRow(
  db: Kysely<Schema>,
  { agentId, now }: { agentId: string; now: number },
): Promise<void> {
  await db
    .insertInto('agents')
    .values({ id: agentId, overrides: '{}', updated_at: now, revision: 0 })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}
