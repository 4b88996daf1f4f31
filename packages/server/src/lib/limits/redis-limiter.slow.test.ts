import { createClient } from '@redis/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../clock.ts';
import { createLogger } from '../log/logger.ts';
import { systemRandom } from '../random.ts';
import { startRedis, type TestRedis } from '../testing/services/redis.ts';
import type { Admission } from './limiter.ts';
import { createRedisLimiter } from './redis-limiter.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

let subjects = 0;
const newSubject = () => `user:agt_1:person-${subjects++}`;

async function startLimiter() {
  const logLines: string[] = [];
  const log = createLogger(systemClock.now, (line) => logLines.push(line));
  const options = { url: redis.url, log, clock: systemClock, random: systemRandom };
  const limiter = await createRedisLimiter(options);
  onTestFinished(() => limiter.close());
  return { limiter, logLines };
}

async function connect() {
  const client = createClient({ url: redis.url });
  await client.connect();
  onTestFinished(() => client.destroy());
  return client;
}

const refusalsOf = (admissions: Admission[]) => admissions.map(({ refused }) => refused);
const highLimits = { requests_per_second: 1000, concurrent: 1000 };

describe('limits that are shared by processes', () => {
  it('add up the amounts of all processes', async () => {
    const [a, b] = await Promise.all([startLimiter(), startLimiter()]);
    const subject = newSubject();
    const window = { maximum: 100, windowMs: 60_000 };

    const decisions = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? a : b).limiter.take(subject, 30, window)),
    );
    const reduced = await a.limiter.take(subject, -30, window);
    const after = await b.limiter.take(subject, 40, window);

    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(3);
    expect(reduced).toEqual({ allowed: true, current: 60 });
    expect(after).toEqual({ allowed: true, current: 100 });
  });

  it('do not count an amount after its window', async () => {
    const { limiter } = await startLimiter();
    const subject = newSubject();
    const window = { maximum: 10, windowMs: 600 };

    await limiter.take(subject, 10, window);
    expect((await limiter.take(subject, 1, window)).allowed).toBe(false);
    await expect
      .poll(async () => (await limiter.take(subject, 10, window)).allowed, { interval: 100 })
      .toBe(true);
  });

  it('Q01: apply to the requests per second of all processes together', async () => {
    const [a, b] = await Promise.all([startLimiter(), startLimiter()]);
    const subject = newSubject();
    const limits = { requests_per_second: 5, concurrent: 100 };

    const admissions = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? a : b).limiter.admit(subject, limits)),
    );

    expect(refusalsOf(admissions).filter((refused) => refused === null)).toHaveLength(5);
    expect(refusalsOf(admissions).filter((refused) => refused === 'rate')).toHaveLength(15);
    const remaining = admissions
      .filter(({ refused }) => !refused)
      .map((admission) => admission.remaining);
    expect(remaining.toSorted()).toEqual([0, 1, 2, 3, 4]);
    for (const { resetMs, limit } of admissions) {
      expect(limit).toBe(5);
      expect(resetMs).toBeGreaterThan(0);
      expect(resetMs).toBeLessThanOrEqual(1000);
    }
    // Rejected requests are not counted: another request is admitted within a second.
    const again = async () => (await a.limiter.admit(subject, limits)).refused;
    await expect.poll(again).toBeNull();
  });

  it('Q01: apply to the concurrent requests of all processes together', async () => {
    const [a, b] = await Promise.all([startLimiter(), startLimiter()]);
    const subject = newSubject();
    const limits = { requests_per_second: 1000, concurrent: 4 };

    const admissions = await Promise.all(
      Array.from({ length: 12 }, (_, n) => (n % 2 ? a : b).limiter.admit(subject, limits)),
    );
    const admitted = admissions.filter(({ refused }) => refused === null);
    expect(admitted).toHaveLength(4);
    expect((await b.limiter.admit(subject, limits)).refused).toBe('concurrency');
    admitted[0]?.release();
    admitted[0]?.release();

    const next = await a.limiter.admit(subject, limits);
    expect(next.refused).toBeNull();
    expect((await a.limiter.admit(subject, limits)).refused).toBe('concurrency');
    for (const { release } of [...admitted, next]) release();
    expect((await b.limiter.admit(subject, limits)).refused).toBeNull();
  });

  it('Q02: do not count the requests of processes that stopped or were killed', async () => {
    const [stopping, killed, other] = await Promise.all([
      startLimiter(),
      startLimiter(),
      startLimiter(),
    ]);
    const limits = { requests_per_second: 1000, concurrent: 1 };
    const [subject, second] = [newSubject(), newSubject()];
    await stopping.limiter.admit(subject, limits);
    await killed.limiter.admit(second, limits);
    expect((await other.limiter.admit(subject, limits)).refused).toBe('concurrency');

    await stopping.limiter.close();
    expect((await other.limiter.admit(subject, limits)).refused).toBeNull();

    expect((await other.limiter.admit(second, limits)).refused).toBe('concurrency');
    // Dates the last heartbeat of every process back to 1970, so that it has expired.
    const client = await connect();
    const alive = await client.zRange('inlay:limit:processes', 0, -1);
    for (const name of alive) {
      await client.zAdd('inlay:limit:processes', { value: name, score: 1 });
    }
    expect((await other.limiter.admit(second, limits)).refused).toBeNull();
  });

  it('allow the maximum number of events per window, and return the time until another is allowed', async () => {
    const [a, b] = await Promise.all([startLimiter(), startLimiter()]);
    const subject = newSubject();
    const limit = { maximum: 3, windowMs: 400 };

    const decisions = await Promise.all(
      Array.from({ length: 8 }, (_, n) => (n % 2 ? a : b).limiter.allow(subject, limit)),
    );

    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(3);
    const refused = decisions.filter(({ allowed }) => !allowed);
    for (const { retryAfterMs } of refused) {
      expect(retryAfterMs).toBeGreaterThan(0);
      expect(retryAfterMs).toBeLessThanOrEqual(400);
    }
    await expect.poll(async () => (await b.limiter.allow(subject, limit)).allowed).toBe(true);
    const never = await a.limiter.allow(newSubject(), { maximum: 0, windowMs: 500 });
    expect(never).toEqual({ allowed: false, retryAfterMs: 500 });
  });

  it('Q03: apply to each process separately while Redis is unreachable, which is logged once', async () => {
    const [a, b] = await Promise.all([startLimiter(), startLimiter()]);
    const limits = { requests_per_second: 1000, concurrent: 2 };
    const subject = newSubject();
    const before = await a.limiter.admit(subject, limits);
    await redis.down();

    const alone = await Promise.all(
      Array.from({ length: 10 }, () => a.limiter.admit(subject, limits)),
    );
    const admitted = alone.filter(({ refused }) => refused === null);
    expect(admitted).toHaveLength(2);
    await a.limiter.admit(newSubject(), highLimits);
    expect(a.logLines.filter((line) => line.includes('does not respond'))).toHaveLength(1);

    await redis.up();
    // The process sends its requests in progress to the new Redis, where the other process sees
    // them.
    const refusedElsewhere = async () => {
      const admission = await b.limiter.admit(subject, limits);
      admission.release();
      return admission.refused;
    };
    await expect.poll(refusedElsewhere).toBe('concurrency');
    for (const { release } of [before, ...admitted]) release();
    await expect.poll(refusedElsewhere).toBeNull();
  });

  it.each([
    ['started before', 1],
    ['started', 0],
  ])(
    'Q03: do not count requests that %s and ended while Redis did not respond',
    async (_, before) => {
      const [a, b] = await Promise.all([startLimiter(), startLimiter()]);
      onTestFinished(() => redis.resume());
      const limits = { requests_per_second: 1000, concurrent: 1 };
      const subject = newSubject();
      const started = before > 0 ? [await a.limiter.admit(subject, limits)] : [];
      redis.pause();

      started.push(await a.limiter.admit(subject, { ...limits, concurrent: 2 }));
      expect(a.logLines.join()).toContain('does not respond');
      for (const { release } of started) release();
      redis.resume();

      const refusedElsewhere = async () => {
        const admission = await b.limiter.admit(subject, limits);
        admission.release();
        return admission.refused;
      };
      // The process still sends heartbeats, so that its counts do not expire.
      await expect.poll(() => a.logLines.join()).toContain('reachable again');
      await expect.poll(refusedElsewhere).toBeNull();
    },
  );
});
