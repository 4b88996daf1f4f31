import { type SqlBool, sql } from 'kysely';
import * as z from 'zod';
import { createAgentRegistry } from '../agents/agent-registry.ts';
import { createInProcessBus } from '../bus/in-process-bus.ts';
import { ConfigError } from '../config/parse-config.ts';
import { EventLog } from '../events/event-log.ts';
import { BlobDeletions } from '../files/blob-deletions.ts';
import { Files } from '../files/files.ts';
import type { ServiceOptions } from '../service-options.ts';
import { DeletionWork } from '../sessions/delete-sessions.ts';
import { Sessions } from '../sessions/sessions.ts';
import { WebhookOutbox } from '../webhooks/webhook-outbox.ts';
import { Worker } from '../workers/worker.ts';
import { eraseUser } from './erase-user.ts';
import { loadPseudonyms, type Pseudonyms, pseudonymOf, pseudonymsWith } from './pseudonyms.ts';

type ReplayOptions = Pick<ServiceOptions, 'store' | 'clock' | 'random' | 'log' | 'config'>;
type ExportOptions = Pick<ServiceOptions, 'store' | 'random'>;

const ExportedErasure = z.strictObject({
  id: z.string(),
  agent_id: z.string(),
  hmac: z.string(),
  /** Milliseconds since the epoch. */
  at: z.int(),
  /** Whether the user is still blocked. */
  is_blocked: z.boolean(),
});
type ExportedErasure = z.output<typeof ExportedErasure>;

/** The file with erasures. Its key can tell whether a known person is among them. */
const ErasureFile = z.strictObject({
  type: z.literal('inlay_erasures'),
  key: z.string().min(1),
  erasures: z.array(ExportedErasure),
});

/** Returns all erasures as JSON, for `replayErasures`. */
export async function exportErasures({ store, random }: ExportOptions): Promise<string> {
  const { key } = await loadPseudonyms({ store, random });
  const rows = await store.db.selectFrom('erasures').selectAll().orderBy('at').execute();
  const blocks = await store.db
    .selectFrom('end_user_blocks')
    .select(['agent_id', 'external_user_id'])
    .where('external_user_id', 'in', rows.length > 0 ? rows.map((row) => pseudonymOf(row)) : [''])
    .where('blocked', '=', 1)
    .execute();
  const blocked = new Set(blocks.map((row) => `${row.agent_id} ${row.external_user_id}`));
  const erasures = rows.map(({ id, agent_id, hmac, at }): ExportedErasure => {
    const is_blocked = blocked.has(`${agent_id} ${pseudonymOf({ hmac })}`);
    return { id, agent_id, hmac, at: Number(at), is_blocked };
  });
  return JSON.stringify({ type: 'inlay_erasures', key, erasures }, null, 2);
}

/**
 * Erases the users of an exported file from a store that was restored from a backup. The server should not
 * run meanwhile. It deletes the contents of files when it starts.
 *
 * @returns The number of users who were erased again.
 * @throws ConfigError If the file was not written by `exportErasures`.
 */
export async function replayErasures(options: ReplayOptions, text: string): Promise<number> {
  const { store, random } = options;
  const { key, erasures } = parseFile(text);
  await keepKey(options, key);
  const latest = new Map<string, ExportedErasure>();
  for (const erasure of erasures.toSorted((a, b) => a.at - b.at)) {
    latest.set(`${erasure.agent_id} ${erasure.hmac}`, erasure);
  }
  const users = await findErased(options, pseudonymsWith(key), latest);
  const { services, close } = await createErasureServices(options);
  try {
    for (const user of users) await eraseUser(services, user, { keepBlock: true });
  } finally {
    await close();
  }
  // Rows with another key would be of no use.
  if ((await loadPseudonyms({ store, random })).key !== key) return users.length;
  await store.transaction(async (db) => {
    for (const { is_blocked, ...row } of erasures) {
      await db
        .insertInto('erasures')
        .values({ ...row, block_kept: Number(is_blocked), worker: null })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await (is_blocked
        ? db
            .insertInto('end_user_blocks')
            .values({
              agent_id: row.agent_id,
              external_user_id: pseudonymOf(row),
              blocked: 1,
              updated_at: row.at,
            })
            .onConflict((conflict) => conflict.doNothing())
        : db
            .deleteFrom('end_user_blocks')
            .where('agent_id', '=', row.agent_id)
            .where('external_user_id', '=', pseudonymOf(row))
      ).execute();
    }
  });
  return users.length;
}

function parseFile(text: string): z.output<typeof ErasureFile> {
  try {
    return ErasureFile.parse(JSON.parse(text));
  } catch {
    throw new ConfigError(
      'The file has no erasures. `inlay-server erasures export` writes such a file.',
    );
  }
}

/** Stores the key of the file, unless the store has one: backups of earlier versions have none. */
async function keepKey({ store: { db } }: ReplayOptions, key: string): Promise<void> {
  await db
    .insertInto('erasure_key')
    .values({ id: 1, key })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * The tables that name end users, and the column with the time of a row. Daily counters are deleted after
 * two days.
 */
const tablesOfUsers = [
  ['sessions', 'created_at'],
  ['files', 'created_at'],
  ['issuances', 'created_at'],
  ['visitors', 'created_at'],
  ['end_user_blocks', 'updated_at'],
  ['consents', 'given_at'],
] as const;

const usersPerPage = 1_000;

/** Finds the users of the store who were erased after their first row was written. */
async function findErased(
  { store: { db } }: ReplayOptions,
  pseudonyms: Pseudonyms,
  latest: ReadonlyMap<string, ExportedErasure>,
) {
  const found = new Map<string, { agentId: string; externalUserId: string }>();
  for (const [table, time] of tablesOfUsers) {
    for (let last = { agent: '', user: '' }; ; ) {
      const { rows } = await sql<{ agent: string; user: string; since: number }>`
        select agent_id as agent, external_user_id as "user", min(${sql.ref(time)}) as since
        from ${sql.table(table)}
        where ${sql<SqlBool>`(agent_id, external_user_id) > (${last.agent}, ${last.user})`}
        group by agent_id, external_user_id order by agent_id, external_user_id
        limit ${usersPerPage}`.execute(db);
      for (const { agent, user, since } of rows) {
        const each = { agentId: agent, externalUserId: user };
        const hmac = pseudonyms.hmacOf(each);
        const erasure = latest.get(`${agent} ${hmac}`);
        if (erasure && Number(since) <= erasure.at) found.set(`${agent} ${hmac}`, each);
        last = { agent, user };
      }
      if (rows.length < usersPerPage) break;
    }
  }
  return [...found.values()];
}

/** Creates the services of a command, which runs no models and leaves the contents of files to the server. */
async function createErasureServices(options: ReplayOptions) {
  const worker = await Worker.start(options);
  worker.leaveQueuedWork();
  const withBus = { ...options, bus: createInProcessBus(options.log), worker };
  const base = { ...withBus, webhooks: await WebhookOutbox.start(withBus) };
  const agents = await createAgentRegistry(base);
  const blobDeletions = new BlobDeletions(base);
  const parts = {
    ...base,
    events: new EventLog(base),
    files: new Files({ ...base, agents, blobDeletions }),
    sessions: new Sessions(base),
  };
  const deletions = new DeletionWork(parts);
  return {
    services: { ...parts, worker, deletions, pseudonyms: await loadPseudonyms(options) },
    async close() {
      await deletions.close();
      await blobDeletions.close();
      await worker.close();
      agents.close();
    },
  };
}
