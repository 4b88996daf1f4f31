import { type Kysely, Migrator, sql } from 'kysely';
import { foundation } from './migrations/0001-foundation.ts';
import { filesByUser } from './migrations/0002-files-by-user.ts';
import { threadsAndRights } from './migrations/0003-threads-and-rights.ts';
import { runTimeAgents } from './migrations/0004-run-time-agents.ts';
import { spendReservations } from './migrations/0005-spend-reservations.ts';
import { blobPieces } from './migrations/0006-blob-pieces.ts';
import { dearestCall } from './migrations/0007-dearest-call.ts';
import { visitorShares } from './migrations/0008-visitor-shares.ts';
import { logBytes } from './migrations/0009-log-bytes.ts';
import { retention } from './migrations/0010-retention.ts';
import { keyLimits } from './migrations/0011-key-limits.ts';
import { modelMonths } from './migrations/0014-model-months.ts';
import { registries } from './migrations/0015-registries.ts';
import { automation } from './migrations/0016-automation.ts';
import { chatModel } from './migrations/0017-chat-model.ts';
import { videoModels } from './migrations/0018-video-models.ts';
import { cleanupIndexes } from './migrations/0019-cleanup-indexes.ts';
import { dailyCounters } from './migrations/0020-daily-counters.ts';
import { tenantObjects } from './migrations/0021-tenant-objects.ts';
import { vectorStores } from './migrations/0021-vector-stores.ts';
import { forgottenRows } from './migrations/0022-forgotten-rows.ts';
import { providerMessages } from './migrations/0023-provider-messages.ts';
import { responseEvents } from './migrations/0024-response-events.ts';
import { issuanceLists } from './migrations/0025-issuance-lists.ts';
import { workers } from './migrations/0026-workers.ts';
import { modelReservations } from './migrations/0027-model-reservations.ts';
import type { Schema } from './schema.ts';

/** All migrations, ordered by name. New migrations are appended; existing ones never change. */
const migrations = {
  '0001-foundation': foundation,
  '0002-files-by-user': filesByUser,
  '0003-threads-and-rights': threadsAndRights,
  '0004-run-time-agents': runTimeAgents,
  '0005-spend-reservations': spendReservations,
  '0006-blob-pieces': blobPieces,
  '0007-dearest-call': dearestCall,
  '0008-visitor-shares': visitorShares,
  '0009-log-bytes': logBytes,
  '0010-retention': retention,
  '0011-key-limits': keyLimits,
  '0014-model-months': modelMonths,
  '0015-registries': registries,
  '0016-automation': automation,
  '0017-chat-model': chatModel,
  '0018-video-models': videoModels,
  '0019-cleanup-indexes': cleanupIndexes,
  '0020-daily-counters': dailyCounters,
  '0021-tenant-objects': tenantObjects,
  '0021-vector-stores': vectorStores,
  '0022-forgotten-rows': forgottenRows,
  '0023-provider-messages': providerMessages,
  '0024-response-events': responseEvents,
  '0025-issuance-lists': issuanceLists,
  '0026-workers': workers,
  '0027-model-reservations': modelReservations,
};

/**
 * Runs the pending migrations. There are no down migrations. Later migrations, which a newer version has
 * run, are accepted: they only add, so that processes of two versions can run at the same time while
 * they are replaced. What is no longer used is removed one version later.
 *
 * @param db One connection in a transaction that locks out other processes.
 */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const later = await namesOfLaterMigrations(db);
  const provider = {
    getMigrations: async () => ({
      ...migrations,
      ...Object.fromEntries(later.map((name) => [name, { up: async () => {} }])),
    }),
  };
  const migrator = new Migrator({ db, provider, disableTransactions: true });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

async function namesOfLaterMigrations(db: Kysely<Schema>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return [];
  const latest = Object.keys(migrations).at(-1) ?? '';
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration where name > ${latest}`.execute(db);
  return rows.map(({ name }) => name);
}
