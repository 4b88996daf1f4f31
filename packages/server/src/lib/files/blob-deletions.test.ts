import { expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../log/logger.ts';
import { systemRandom } from '../random.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { openTestStore } from '../testing/test-store.ts';
import { Worker } from '../workers/worker.ts';
import { BlobDeletions } from './blob-deletions.ts';

it('contents that cannot be deleted are tried again, and do not delay those of other files', async () => {
  const clock = createFakeClock();
  const log = createLogger(clock.now, () => {});
  const opened = await openTestStore(log);
  const broken = new Set(Array.from({ length: 8 }, (_, n) => `file_broken_${n}`));
  const deleted: string[] = [];
  const blobs = {
    ...opened.blobs,
    async delete(id: string) {
      if (broken.has(id)) throw new Error('the storage failed');
      deleted.push(id);
    },
  };
  const base = { store: { ...opened, blobs }, clock, random: systemRandom, log };
  const worker = await Worker.start(base);
  const deletions = new BlobDeletions({ ...base, worker });
  onTestFinished(async () => {
    await deletions.close();
    await worker.close();
    await opened.close();
  });
  const jobs = () => opened.db.selectFrom('blob_deletions').select('id').execute();

  await opened.transaction((transaction) => deletions.add(transaction, [...broken, 'file_whole']));
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
