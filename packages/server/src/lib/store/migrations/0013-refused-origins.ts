import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** Origins whose pages were refused, by agent and hour. */
export const refusedOrigins: Migration = {
  async up(db) {
    await sql`create table refused_origins (
      agent_id text not null,
      hour bigint not null,
      origin text not null,
      requests bigint not null,
      last_at bigint not null,
      primary key (agent_id, hour, origin)
    )`.execute(db);
    await sql`create index refused_origins_by_hour on refused_origins (hour)`.execute(db);
  },
};
