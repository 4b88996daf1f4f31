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
}, 60_000);
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

const whyOf = (admissions: Admission[]) => admissions.map(({ refused }) => refused);
const many = { requests_per_second: 1000, concurrent: 1000 };

describe('limits that processes share', () => {
  it('Q01: lets in as many requests a second as one process would, whichever is asked', async () => {
    const [a, b] = await Promise.all([startLimiter(), startLimiter()]);
    const subject = newSubject();
    const limits = { requests_per_second: 5, concurrent: 100 };

    const admissions = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? a : b).limiter.begin(subject, limits)),
    );

    expect(whyOf(admissions).filter((why) => why === null)).toHaveLength(5);
    expect(whyOf(admissions).filter((why) => why === 'rate')).toHaveLength(15);
    const remaining = admissions.filter(({ refused }) => !refused).map((one) => one.remaining);
    expect(remaining.toSorted()).toEqual([0, 1, 2, 3, 4]);
    for (const { resetMs, limit } of admissions) {
      expect(limit).toBe(5);
      expect(resetMs).toBeGreaterThan(0);
      expect(resetMs).toBeLessThanOrEqual(1000);
    }
    // Rejected requests are not counted: one second later there is room for five more.
    const again = async () => (await a.limiter.begin(subject, limits)).refused;
    await expect.poll(again, { timeout: 5000 }).toBeNull();
  });

  it('Q01: counts what is under way in all processes together, to the end of each', async () => {
    const [a, b] = await Promise.all([startLimiter(), startLimiter()]);
    const subject = newSubject();
    const limits = { requests_per_second: 1000, concurrent: 4 };

    const admissions = await Promise.all(
      Array.from({ length: 12 }, (_, n) => (n % 2 ? a : b).limiter.begin(subject, limits)),
    );
    const held = admissions.filter(({ refused }) => refused === null);
    expect(held).toHaveLength(4);
    expect((await b.limiter.begin(subject, limits)).refused).toBe('concurrency');
    held[0]?.release();
    held[0]?.release();

    const next = await a.limiter.begin(subject, limits);
    expect(next.refused).toBeNull();
    expect((await a.limiter.begin(subject, limits)).refused).toBe('concurrency');
    for (const { release } of [...held, next]) release();
    expect((await b.limiter.begin(subject, limits)).refused).toBeNull();
  });

  it('Q02: gives back the places of a process that stopped, and of one that was killed', async () => {
    const [stopping, dying, other] = await Promise.all([
      startLimiter(),
      startLimiter(),
      startLimiter(),
    ]);
    const limits = { requests_per_second: 1000, concurrent: 1 };
    const [subject, second] = [newSubject(), newSubject()];
    await stopping.limiter.begin(subject, limits);
    await dying.limiter.begin(second, limits);
    expect((await other.limiter.begin(subject, limits)).refused).toBe('concurrency');

    await stopping.limiter.close();
    expect((await other.limiter.begin(subject, limits)).refused).toBeNull();

    expect((await other.limiter.begin(second, limits)).refused).toBe('concurrency');
    // Lets the heartbeat expire by the clock of Redis.
    const client = await connect();
    const alive = await client.zRange('inlay:limit:processes', 0, -1);
    for (const name of alive) {
      await client.zAdd('inlay:limit:processes', { value: name, score: 1 });
    }
    expect((await other.limiter.begin(second, limits)).refused).toBeNull();
  });

  it('counts rare things in windows of their own', async () => {
    const [a, b] = await Promise.all([startLimiter(), startLimiter()]);
    const subject = newSubject();
    const limit = { maximum: 3, windowMs: 400 };

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => (n % 2 ? a : b).limiter.allow(subject, limit)),
    );

    expect(answers.filter(({ allowed }) => allowed)).toHaveLength(3);
    const refusals = answers.filter(({ allowed }) => !allowed);
    for (const { retryAfterMs } of refusals) {
      expect(retryAfterMs).toBeGreaterThan(0);
      expect(retryAfterMs).toBeLessThanOrEqual(400);
    }
    await expect.poll(async () => (await b.limiter.allow(subject, limit)).allowed).toBe(true);
    const never = await a.limiter.allow(newSubject(), { maximum: 0, windowMs: 500 });
    expect(never).toEqual({ allowed: false, retryAfterMs: 500 });
  });

  it('Q03: counts alone while Redis is away, says so once, and together again afterwards', async () => {
    const [a, b] = await Promise.all([startLimiter(), startLimiter()]);
    const limits = { requests_per_second: 1000, concurrent: 2 };
    const subject = newSubject();
    const before = await a.limiter.begin(subject, limits);
    await redis.down();

    const alone = await Promise.all(
      Array.from({ length: 10 }, () => a.limiter.begin(subject, limits)),
    );
    const admitted = alone.filter(({ refused }) => refused === null);
    expect(admitted).toHaveLength(2);
    await a.limiter.begin(newSubject(), many);
    expect(a.logLines.filter((line) => line.includes('does not answer'))).toHaveLength(1);

    await redis.up();
    // The process sends its requests in progress to the new Redis, where the other process sees
    // them.
    const refusedElsewhere = async () => {
      const admission = await b.limiter.begin(subject, limits);
      admission.release();
      return admission.refused;
    };
    await expect.poll(refusedElsewhere, { timeout: 10_000 }).toBe('concurrency');
    for (const { release } of [before, ...admitted]) release();
    await expect.poll(refusedElsewhere, { timeout: 10_000 }).toBeNull();
  }, 30_000);
});
