import type { IssuanceRecord } from '@inlay/protocol';
import type { Kysely, Selectable } from 'kysely';
import { isoTime } from '../clock.ts';
import { isAfter, type Position } from '../http/paging.ts';
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
    position: Position | null;
    limit: number;
  },
): Promise<Row[]> {
  const { agentId, externalUserId, position, limit } = filter;
  return db
    .selectFrom('issuances')
    .selectAll()
    .$if(agentId !== undefined, (query) => query.where('agent_id', '=', agentId ?? ''))
    .$if(externalUserId !== undefined, (query) =>
      query.where('external_user_id', '=', externalUserId ?? ''),
    )
    .where(isAfter('created_at', position))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/**
 * Revokes an issuance.
 *
 * @returns False if the issuance was already revoked; the time of that revocation is kept.
 */
export async function markRevoked(db: Db, id: string, now: number): Promise<boolean> {
  const result = await db
    .updateTable('issuances')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
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
