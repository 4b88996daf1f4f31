import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** Columns and indexes for the lists of conversations, ratings and tokens that backends read. */
export const backendLists: Migration = {
  async up(db) {
    await sql`alter table sessions add column outcome text`.execute(db);
    for (const rating of ['up', 'down']) {
      const column = sql.ref(`rated_${rating}`);
      await sql`alter table sessions add column ${column} integer not null default 0`.execute(db);
      await sql`update sessions set ${column} = 1
        where id in (select session_id from feedback where rating = ${rating})`.execute(db);
    }
  },
  indexes: {
    sessions_by_agent: 'sessions (agent_id, active_at, id)',
    sessions_by_external_user: 'sessions (external_user_id, active_at, id)',
    sessions_by_key: 'sessions (publishable_key, active_at, id) where publishable_key is not null',
    // Almost all sessions are idle, answered, not rated and not archived: a list of those needs no index.
    sessions_by_status: `sessions (status, active_at, id) where status <> 'idle'`,
    sessions_by_outcome: `sessions (outcome, active_at, id)
      where outcome in ('failed', 'budget', 'interrupted')`,
    sessions_by_time: 'sessions (active_at, id)',
    sessions_rated_up: 'sessions (active_at, id) where rated_up = 1',
    sessions_rated_down: 'sessions (active_at, id) where rated_down = 1',
    sessions_archived: 'sessions (active_at, id) where archived_at is not null',
    feedback_by_time: 'feedback (created_at, event_id)',
    feedback_by_rating: 'feedback (rating, created_at, event_id)',
    issuances_by_key_and_time:
      'issuances (publishable_key, created_at, id) where publishable_key is not null',
    issuances_revoked: 'issuances (created_at, id) where revoked_at is not null',
  },
};
