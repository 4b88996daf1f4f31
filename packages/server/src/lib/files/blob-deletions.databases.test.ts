import { expect, it, onTestFinished, vi } from 'vitest';
import { createLogger } from '../log/logger.ts';
import { systemRandom } from '../random.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { openTestStore } from '../testing/test-store.ts';
import { Worker } from '../workers/worker.ts';
import { BlobDeletions } from './blob-deletions.ts';

async function setup() {
  const clock = createFakeClock();
  const log = createLogger(clock.now, () => {});
  const store = await openTestStore(log);
  const base = { store, clock, random: systemRandom, log };
  const worker = await Worker.start(base);
  const deletions = new BlobDeletions({ ...base, worker });
  onTestFinished(async () => {
    await deletions.close();
    await worker.close();
  });
  return {
    clock,
    deletions,
    blobs: store.blobs,
    jobs: () => store.db.selectFrom('blob_deletions').select('id').execute(),
    add: (ids: string[]) => store.transaction((transaction) => deletions.add(transaction, ids)),
  };
}

it('contents that are stored while they are deleted are deleted again', async () => {
  const { deletions, blobs, jobs, add } = await setup();
  let release = () => {};
  const deleted = vi.spyOn(blobs, 'delete').mockImplementation(
    () =>
      new Promise((resolve) => {
        release = resolve;
      }),
  );

  await add(['file_a']);
  deletions.wake();
  await expect.poll(() => deleted.mock.calls).toHaveLength(1);
  await add(['file_a']);
  release();
  await expect
    .poll(() => {
      deletions.wake();
      return deleted.mock.calls;
    })
    .toHaveLength(2);
  release();

  await expect.poll(jobs).toEqual([]);
});

it('contents that cannot be deleted are tried again, and do not delay those of other files', async () => {
  const { deletions, blobs, clock, jobs, add } = await setup();
  const broken = new Set(Array.from({ length: 8 }, (_, n) => `file_broken_${n}`));
  const deleted: string[] = [];
  vi.spyOn(blobs, 'delete').mockImplementation(async (id) => {
    if (broken.has(id)) throw new Error('the storage failed');
    deleted.push(id);
  });

  await add([...broken, 'file_whole']);
  deletions.wake();

  await expect.poll(() => deleted).toEqual(['file_whole']);
  await expect.poll(jobs).toHaveLength(8);
  broken.clear();
  await expect
    .poll(() => {
      clock.advance(1_000);
      return jobs();
    })
    .toEqual([]);
  expect(deleted).toHaveLength(9);
});
