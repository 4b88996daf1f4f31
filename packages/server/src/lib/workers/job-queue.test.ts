import type { KyselyPlugin } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../log/logger.ts';
import { systemRandom } from '../random.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { openTestStore } from '../testing/test-store.ts';
import { JobQueue } from './job-queue.ts';
import { Worker } from './worker.ts';

it('performs a job again that could not be returned to the queue after it had failed', async () => {
  const clock = createFakeClock();
  const logLines: string[] = [];
  const log = createLogger(clock.now, (line) => logLines.push(line));
  const opened = await openTestStore(log);
  let isDown = false;
  const failure: KyselyPlugin = {
    transformQuery({ node }) {
      if (isDown) throw new Error('the connection was lost');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const store = { ...opened, db: opened.db.withPlugin(failure) };
  const worker = await Worker.start({ store, clock, log, random: systemRandom });
  await store.db
    .insertInto('chat_model_responses')
    .values({
      id: 'resp_a',
      owner: '',
      previous_response_id: null,
      conversation_id: null,
      background: 1,
      status: 'queued',
      json: '{}',
      request: '{}',
      worker: null,
      lease_id: null,
      run_after: 0,
      created_at: 0,
      expires_at: clock.now() + 1,
    })
    .execute();
  let count = 0;
  const queue = new JobQueue(
    { store, clock, log, random: systemRandom, worker },
    {
      table: 'chat_model_responses',
      key: 'id',
      queuedStatus: 'queued',
      maximum: 1,
      perform: async () => {
        count += 1;
        if (count > 1) return;
        isDown = true;
        throw new Error('no response');
      },
    },
  );
  onTestFinished(async () => {
    await queue.close();
    await worker.close();
  });
  await expect.poll(() => logLines.some((line) => line.includes('jobs of'))).toBe(true);

  isDown = false;

  await expect
    .poll(() => {
      clock.advance(500);
      return count;
    })
    .toBe(2);
});
