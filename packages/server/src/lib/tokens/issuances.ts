import { type IssuanceRecord, limits } from '@inlay/protocol';
import { type Kysely, type Selectable, type SqlBool, sql } from 'kysely';
import { isoTime } from '../clock.ts';
import { readFilteredPage } from '../http/filtered-page.ts';
import type { Position } from '../http/paging.ts';
import type { IssuancesTable, Schema } from '../store/schema.ts';

type Db = Kysely<Schema>;
type Row = Selectable<IssuancesTable>;

/** Converts the row of an issuance to a record for the API, which never contains the token. */
export function toIssuanceRecord(row: Row): IssuanceRecord {
  return {
    type: 'embed_token',
    id: row.id,
    agent_id: row.agent_id,
    agent_version: row.agent_version,
    external_user_id: row.external_user_id,
    created_at: isoTime(row.created_at),
    expires_at: isoTime(row.expires_at),
    revoked_at: row.revoked_at === null ? null : isoTime(row.revoked_at),
    budget_cents: row.budget_cents,
    allowed_origins: JSON.parse(row.allowed_origins),
    metadata: JSON.parse(row.metadata),
    features: JSON.parse(row.features),
    session_id: row.session_id,
    anonymous: row.publishable_key !== null,
    issued_by: row.issued_by,
  };
}

export function findIssuance(db: Db, id: string): Promise<Row | undefined> {
  return db.selectFrom('issuances').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Lists issuances, newest first, at most `limit`, after `position`. */
export function listIssuances(
  db: Db,
  filter: {
    agentId?: string | undefined;
    externalUserId?: string | undefined;
    publishableKey?: string | undefined;
    status?: 'active' | 'expired' | 'revoked' | undefined;
    /** Milliseconds since the epoch, as `now`. */
    createdAfter?: number | undefined;
    now: number;
    position: Position | null;
    limit: number;
  },
): Promise<{ rows: Row[]; next: Position | null }> {
  const { agentId, externalUserId, publishableKey, status, now } = filter;
  const byAgent = agentId !== undefined && sql<SqlBool>`agent_id = ${agentId}`;
  // The first one selects the index.
  const conditions = [
    externalUserId !== undefined && sql<SqlBool>`external_user_id = ${externalUserId}`,
    status === 'revoked' && sql<SqlBool>`revoked_at is not null`,
    publishableKey !== undefined &&
      sql<SqlBool>`publishable_key = ${publishableKey} and publishable_key is not null`,
    byAgent,
  ].filter((condition) => condition !== false);
  // The index of a user's issuances starts with the agent.
  const indexed =
    externalUserId !== undefined && byAgent
      ? conditions.slice(0, 1).concat(byAgent)
      : conditions.slice(0, 1);
  // An older token has expired.
  const oldestActive = now - limits.ttlSeconds.max * 1000;
  const filters = conditions.filter((condition) => !indexed.includes(condition));
  if (status === 'active') filters.push(sql`revoked_at is null and expires_at > ${now}`);
  if (status === 'expired') filters.push(sql`revoked_at is null and expires_at <= ${now}`);
  return readFilteredPage<Row>(db, {
    table: 'issuances',
    sortedBy: { time: 'created_at', id: 'id' },
    indexed: [
      ...indexed,
      ...[filter.createdAfter, status === 'active' ? oldestActive : undefined]
        .filter((time) => time !== undefined)
        .map((time) => sql<SqlBool>`created_at > ${time}`),
    ],
    filters,
    position: filter.position,
    limit: filter.limit,
  });
}

/**
 * Revokes an issuance.
 *
 * @returns The user of the token; null if the issuance was already revoked, whose time is kept.
 */
export async function markRevoked(
  db: Db,
  id: string,
  now: number,
): Promise<{ agentId: string; externalUserId: string } | null> {
  const row = await db
    .updateTable('issuances')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning(['agent_id as agentId', 'external_user_id as externalUserId'])
    .executeTakeFirst();
  return row ?? null;
}

/** Makes an issuance expire now. Returns false if it had already expired or been revoked. */
export async function markExpired(db: Db, id: string, now: number): Promise<boolean> {
  const result = await db
    .updateTable('issuances')
    .set({ expires_at: now, expired_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Revokes all tokens of an end user, in one statement. Expired tokens are revoked too: while the clock
 * is ahead, tokens look expired that become valid again when it is set right.
 *
 * @returns The issuance ids of the tokens that had not expired.
 */
export async function markUserRevoked(
  db: Db,
  user: { agentId: string; externalUserId: string; now: number },
): Promise<string[]> {
  const rows = await db
    .updateTable('issuances')
    .set({ revoked_at: user.now })
    .where('agent_id', '=', user.agentId)
    .where('external_user_id', '=', user.externalUserId)
    .where('revoked_at', 'is', null)
    .returning(['id', 'expires_at'])
    .execute();
  return rows.filter((row) => Number(row.expires_at) > user.now).map(({ id }) => id);
}

/** Deletes issuances, with the hashes of their tokens. */
export async function deleteIssuances(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.deleteFrom('token_values').where('issuance_id', 'in', ids).execute();
  await db.deleteFrom('issuances').where('id', 'in', ids).execute();
}
