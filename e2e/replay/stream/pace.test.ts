import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findAnswer } from '../answers/catalogue.ts';
import { ManualClock } from '../manual-clock.ts';
import { type ReplayServer, startReplayServer } from '../replay-server.ts';
import { ask, askRaw, readStream } from '../testing/ask.ts';
import { splitTokens } from './split-tokens.ts';

let server: ReplayServer;
let clock: ManualClock;
beforeEach(async () => {
  clock = new ManualClock();
  server = await startReplayServer({ clock });
});
afterEach(() => server.close());

describe('the pace of an answer', () => {
  /** Advances the clock from timer to timer until the answer is complete, and returns the delays. */
  async function delaysOf(model: string): Promise<number[]> {
    const read = ask(server, { model }).then(readStream);
    const [waited, done] = [[] as number[], read.then(() => true)];
    while (!(await Promise.race([done, clock.next().then((ms) => void waited.push(ms))])));
    return waited;
  }

  it('has a delay before the first token, and then the given rate', async () => {
    const waited = await delaysOf('replay/short,ttft=700,tps=50,tokens=5');

    expect(waited).toEqual([700, 20, 20, 20, 20]);
  });

  it('has the given rate in bursts: a longer delay follows a larger burst', async () => {
    const waited = await delaysOf('replay/report,chunks=burst,tps=100');
    const total = waited.reduce((sum, ms) => sum + ms, 0);

    expect(Math.max(...waited)).toBeLessThanOrEqual(400);
    expect(Math.min(...waited)).toBeGreaterThanOrEqual(50);
    const tokens = splitTokens(findAnswer('report')?.turns[0]?.text ?? '').length;
    expect(total).toBeGreaterThanOrEqual((tokens - 40) * 10);
    expect(total).toBeLessThanOrEqual((tokens - 1) * 10);
  });

  it('has no delay between the parts of a split event', async () => {
    const waited = await delaysOf('replay/short,writes=torn,tps=50,tokens=5');

    expect(waited).toEqual([20, 20, 20, 20]);
  });

  it('has no delay without a rate', async () => {
    const { content } = await readStream(await ask(server, { model: 'replay/short' }));

    expect(content).toBe(findAnswer('short')?.turns[0]?.text);
    expect(server.requests[0]?.receivedAt).toBe(clock.now());
  });
});

describe('backpressure', () => {
  it('pauses the answer while the client does not read', async () => {
    const rounds = 15;
    const text = `${'\n'.repeat(1_000_000)}x`.repeat(rounds);
    server.use({ answer: { description: 'more than any buffer', turns: [{ text }] } });
    const response = await askRaw(server);
    const [request] = server.requests;

    let taken = -1;
    for (let still = 0; still < 50; still++) {
      if (request?.tokensSent !== taken) still = 0;
      taken = request?.tokensSent ?? 0;
      await nextTurn();
    }
    expect(taken).toBeLessThan(rounds);

    response.resume();
    await request?.closed;
    expect(request?.tokensSent).toBe(2 * rounds);
    expect(request?.aborted).toBe(false);
  });
});
