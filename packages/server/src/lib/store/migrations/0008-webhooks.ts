import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

const statements = [
  `create table webhook_endpoints (
    id text not null primary key,
    url text not null,
    description text,
    events text not null,
    include text not null,
    secret text not null,
    previous_secret text,
    previous_secret_ends_at bigint,
    disabled_at bigint,
    disabled_reason text,
    failing_since bigint,
    created_at bigint not null,
    updated_at bigint not null
  )`,
  `create table webhook_changes (
    id integer not null primary key,
    revision bigint not null
  )`,
  `create table webhook_deliveries (
    id text not null primary key,
    endpoint_id text not null,
    event_type text not null,
    agent_id text,
    external_user_id text,
    session_id text,
    data text not null,
    lane text,
    position bigint not null,
    status text not null,
    worker text,
    lease_id text,
    run_after bigint,
    attempt integer not null default 0,
    last_attempt_at bigint,
    error text,
    response_status integer,
    response_body text,
    created_at bigint not null
  )`,
  'create index webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, created_at, id)',
  'create index webhook_deliveries_by_time on webhook_deliveries (created_at)',
  `create index webhook_deliveries_by_session on webhook_deliveries (session_id, id)
    where session_id is not null`,
  `create index webhook_deliveries_by_user on webhook_deliveries (external_user_id, agent_id)
    where session_id is null and external_user_id is not null`,
  `create index webhook_deliveries_by_worker on webhook_deliveries (worker)
    where worker is not null`,
  `create index webhook_deliveries_queue on webhook_deliveries (endpoint_id, run_after)
    where worker is null and run_after is not null`,
  `create index webhook_deliveries_by_lane on webhook_deliveries (lane, position)
    where lane is not null`,
];

/** Webhook endpoints, and the deliveries to them. */
export const webhooks: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
