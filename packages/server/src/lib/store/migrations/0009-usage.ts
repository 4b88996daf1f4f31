import { sql } from 'kysely';
import { amountColumns } from '../../usage/amounts.ts';
import type { Migration } from '../migration.ts';

/** Sums of what agents did on each day, and the people who used them. */
export const usage: Migration = {
  async up(db) {
    const amounts = sql.join(
      amountColumns.map((name) => sql`${sql.ref(name)} bigint not null default 0`),
    );
    await sql`create table usage_days (
      day text not null,
      agent_id text not null,
      agent_version text not null,
      publishable_key text not null,
      model text not null,
      slot integer not null,
      ${amounts},
      primary key (day, agent_id, agent_version, publishable_key, model, slot)
    )`.execute(db);
    await sql`create table usage_users (
      day text not null,
      agent_id text not null,
      agent_version text not null,
      publishable_key text not null,
      external_user_id text not null,
      primary key (day, agent_id, agent_version, publishable_key, external_user_id)
    )`.execute(db);
    await sql`create index usage_users_by_user
      on usage_users (agent_id, external_user_id)`.execute(db);
    await sql`create table end_users (
      agent_id text not null,
      external_user_id text not null,
      anonymous integer not null,
      first_seen_at bigint not null,
      last_seen_at bigint not null,
      primary key (agent_id, external_user_id)
    )`.execute(db);
    await sql`create index end_users_by_time
      on end_users (agent_id, last_seen_at, external_user_id)`.execute(db);
    await sql`alter table api_keys add column last_used_at bigint`.execute(db);
    // Processes of the previous version add no rows: users of these minutes get theirs with the next message.
    await sql`insert into end_users
      select agent_id, external_user_id,
        case when max(publishable_key) is null then 0 else 1 end,
        min(created_at), max(active_at)
      from sessions
      where begun_at is not null and external_user_id <> ''
      group by agent_id, external_user_id`.execute(db);
  },
};
