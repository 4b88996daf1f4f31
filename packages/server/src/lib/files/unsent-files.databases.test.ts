import { sql } from 'kysely';
import { expect, inject, it, onTestFinished } from 'vitest';
import { createAgentRegistry } from '../agents/agent-registry.ts';
import { createInProcessBus } from '../bus/in-process-bus.ts';
import { dayMs } from '../clock.ts';
import { defaultConfig } from '../config/default-config.ts';
import { parseConfig } from '../config/parse-config.ts';
import { createLogger } from '../log/logger.ts';
import { systemRandom } from '../random.ts';
import { stepSize } from '../retention/sweep-step.ts';
import type { Store } from '../store/store.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { openTestStore } from '../testing/test-store.ts';
import { Worker } from '../workers/worker.ts';
import { BlobDeletions } from './blob-deletions.ts';
import { Files } from './files.ts';

const owner = { agentId: 'agt_a', externalUserId: 'ada' };

async function setup() {
  const clock = createFakeClock();
  const log = createLogger(clock.now, () => {});
  const store = await openTestStore(log);
  const config = parseConfig(defaultConfig({}), 'The default configuration');
  const bus = createInProcessBus(log);
  const agents = await createAgentRegistry({ config, store, bus, clock, log });
  const base = { store, clock, random: systemRandom, config, log, agents };
  const worker = await Worker.start(base);
  const blobDeletions = new BlobDeletions({ ...base, worker });
  onTestFinished(async () => {
    await blobDeletions.close();
    await worker.close();
  });
  const files = new Files({ ...base, blobDeletions });
  const step = files.unsentSweep();
  return {
    store,
    clock,
    files,
    /** Uploads a file as `owner`. Returns its id. */
    async upload(): Promise<string> {
      const bytes = (async function* () {
        yield Buffer.from('text');
      })();
      return (await files.add(owner, { filename: 'a.txt', bytes })).id;
    },
    /** Runs the step until it has checked all files. */
    async sweep(): Promise<void> {
      while ((await step()) >= stepSize);
    },
    ids: async () =>
      (await store.db.selectFrom('files').select('id').execute()).map(({ id }) => id),
  };
}

/** Resolves when a query waits for a lock. Only PostgreSQL locks rows. */
async function queryWaits({ db }: Store): Promise<void> {
  if (inject('postgres') === undefined) return;
  const waiting = async () =>
    (
      await sql`select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    ).rows.length;
  await expect.poll(waiting).toBe(1);
}

it('a file that no message refers to is deleted with its content a day after the upload', async () => {
  const { upload, sweep, clock, ids, store } = await setup();
  const id = await upload();

  clock.advance(dayMs);
  await sweep();
  expect(await ids()).toEqual([id]);
  clock.advance(1);
  await sweep();

  expect(await ids()).toEqual([]);
  await expect.poll(() => store.blobs.get(id)).toBeNull();
});

it('a file is kept if a message with it is accepted during the deletion', async () => {
  const { upload, sweep, files, clock, ids, store } = await setup();
  const id = await upload();
  clock.advance(2 * dayMs);

  let swept: Promise<void> | undefined;
  await store.transaction(async (transaction) => {
    expect(await files.isOwn(owner, id, transaction)).toBe(true);
    swept = sweep();
    await queryWaits(store);
    await transaction
      .insertInto('session_files')
      .values({ session_id: 'ses_a', file_id: id })
      .execute();
  });
  await swept;

  expect(await ids()).toEqual([id]);
});

it('a file is deleted even if it follows many files that are part of messages', async () => {
  const { upload, sweep, clock, ids, store } = await setup();
  const sent = Array.from({ length: 2 * stepSize + 1 }, (_, n) => `file_${n}`);
  const row = await upload().then(() =>
    store.db.selectFrom('files').selectAll().executeTakeFirstOrThrow(),
  );
  for (let index = 0; index < sent.length; index += 100) {
    const batch = sent.slice(index, index + 100);
    await store.db
      .insertInto('files')
      .values(batch.map((id) => ({ ...row, id })))
      .execute();
    await store.db
      .insertInto('session_files')
      .values(batch.map((file_id) => ({ session_id: 'ses_a', file_id })))
      .execute();
  }
  await store.db.updateTable('files').set({ id: 'zzz' }).where('id', '=', row.id).execute();
  clock.advance(2 * dayMs);

  await sweep();

  expect((await ids()).sort()).toEqual(sent.sort());
});
