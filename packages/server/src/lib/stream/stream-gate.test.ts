import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../testing/fake-clock.ts';
import { message, setupConversation } from '../testing/setup-conversation.ts';
import { StreamGate } from './stream-gate.ts';

const accept = { accept: 'text/event-stream' };

async function setup(stream_opens_per_second = 2) {
  const conversation = await setupConversation({
    fakeClock: true,
    config: { limits: { process: { stream_opens_per_second } } },
  });
  const id = await conversation.create('hello');
  return {
    ...conversation,
    id,
    open: async () => (await conversation.follow(id)).response,
  };
}

describe('the rate limit of new streams', () => {
  it('S12: admits `stream_opens_per_second` streams per second, and rejects further streams with a retryable 503', async () => {
    const { open, clock } = await setup();

    const responses = [await open(), await open(), await open()];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 503]);
    expect(responses[2]?.headers.get('x-service-problem-code')).toBe('SERVICE_UNAVAILABLE');
    expect(responses[2]?.headers.get('x-service-problem-retryable')).toBe('true');
    clock.advance(999);
    expect((await open()).status).toBe(503);
    clock.advance(1);

    expect((await open()).status).toBe(200);
  });

  it('S12: admits a reconnect storm gradually, while existing streams get all events', async () => {
    const { open, call, clock, follow, id } = await setup(100);
    const existing = await follow(id);
    clock.advance(1000);
    let waiting = 350;
    const admitted: number[] = [];

    while (waiting > 0) {
      const responses = await Promise.all(Array.from({ length: waiting }, open));
      const title = `round ${admitted.length}`;
      await call('POST', `/sessions/${id}`, { title });
      await existing.until(({ data }) => data.title === title);
      admitted.push(responses.filter(({ status }) => status === 200).length);
      waiting = responses.filter(({ status }) => status === 503).length;
      clock.advance(1000);
    }

    expect(admitted).toEqual([100, 100, 100, 50]);
  });

  it('S12: returns a random Retry-After of one to ten seconds', async () => {
    const { open } = await setup(1);
    await open();

    const waits: number[] = [];
    for (let n = 0; n < 60; n++) waits.push(Number((await open()).headers.get('retry-after')));

    expect(Math.min(...waits)).toBe(1);
    expect(Math.max(...waits)).toBe(10);
    expect(new Set(waits).size).toBe(10);
  });

  it('S12: does not affect other requests', async () => {
    const { open, call, id, send, log } = await setup(1);
    await open();
    expect((await open()).status).toBe(503);

    const events = [message('hello'), { type: 'user.interrupt' }];
    expect((await send(id, events)).status).toBe(200);
    expect((await log(id)).map(({ type }) => type)).toContain('user.interrupt');
    expect((await call('POST', '/sessions', {})).status).toBe(200);
    expect((await call('GET', `/sessions/${id}/events?after_seq=0&wait=25`)).status).toBe(200);
    expect((await call('GET', '/embed/config')).status).toBe(200);
  });

  it('creates no session for a rejected stream', async () => {
    const { open, call } = await setup(1);
    await open();

    const refused = await call('POST', '/sessions', {}, accept);

    expect(refused.status).toBe(503);
    const list = (await (await call('GET', '/sessions')).json()) as { data: unknown[] };
    expect(list.data).toHaveLength(1);
  });
});

describe('a stream gate at its limit', () => {
  function setupGate() {
    const clock = createFakeClock();
    const random = { bytes: (count: number) => new Uint8Array(count) };
    const gate = new StreamGate({ clock, random }, 100);
    /** Tries to open streams, and returns the number of those that were admitted. */
    const enter = (attempts: number, user: (n: number) => string, source: string) => {
      let admitted = 0;
      for (let n = 0; n < attempts; n += 1) {
        try {
          gate.enter({ user: user(n), source });
          admitted += 1;
        } catch {
          // Rejected.
        }
      }
      return admitted;
    };
    return { clock, enter };
  }

  it('admits users who opened few streams, however often other users try', () => {
    const { clock, enter } = setupGate();

    for (let second = 0; second < 30; second += 1) {
      // 27 visitors at one address reopen streams all the time.
      expect(enter(540, (n) => `visitor-${n % 27}`, '203.0.113.1')).toBeLessThanOrEqual(150);
      expect(enter(1, () => 'bystander', '203.0.113.2')).toBe(1);
      clock.advance(1000);
    }
  });

  it('admits users who opened few streams even if all users share an address', () => {
    const { enter } = setupGate();
    const proxy = '10.0.0.1';

    expect(enter(540, (n) => `visitor-${n % 5}`, proxy)).toBe(100);
    expect(enter(6, (n) => `bystander-${n}`, proxy)).toBe(6);
  });

  it('admits at most 1.5 times the limit', () => {
    const { enter } = setupGate();

    expect(enter(1000, (n) => `user-${n}`, '203.0.113.1')).toBe(150);
  });

  it('counts streams for at most a second after the clock was set back', () => {
    const { clock, enter } = setupGate();
    expect(enter(100, () => 'ada', '203.0.113.1')).toBe(100);

    clock.advance(-3_600_000);
    expect(enter(1, () => 'ada', '203.0.113.1')).toBe(0);
    clock.advance(1000);

    expect(enter(101, () => 'ada', '203.0.113.1')).toBe(100);
  });
});
