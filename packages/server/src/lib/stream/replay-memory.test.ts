import { expect, it } from 'vitest';
import { createSqliteStore } from '../store/sqlite-store.ts';
import { createLargeLog, stallReaders } from '../testing/replay-load.ts';
import { startProcess } from '../testing/server-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const mebibyte = 1_048_576;
/** So many that noise in the resident memory is small compared with the bound. */
const readerCount = 100;
/** More than the operating system buffers for one connection. */
const logBytes = 16 * mebibyte;

it('replaying a large log to a client that reads nothing takes less than 1 MiB of memory', async () => {
  const data = temporaryFolder();
  const server = await startProcess(data);
  const store = await createSqliteStore({ data });
  const log = await createLargeLog(server, store, logBytes);
  await store.close();

  const { sockets, memoryGrowth } = await stallReaders(server, log, readerCount);

  expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
  expect(memoryGrowth).toBeLessThan(readerCount * mebibyte);
});
