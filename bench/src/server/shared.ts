import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  type BusMessage,
  createLogger,
  createRedisBus,
  createRedisLimiter,
  systemClock,
  systemRandom,
} from '@inlay/server';
import { createClient } from '@redis/client';
import { startRedis } from '../../../packages/server/src/lib/testing/services/redis.ts';
import type { BenchOptions, Figure } from '../lib/figure.ts';
import { interleave } from '../lib/interleave.ts';
import { toRow } from '../lib/row.ts';
import { percentile } from '../lib/statistics.ts';

const fragments = 20_000;
/** Maximum number of concurrent fragments. */
const concurrentFragments = 200;
const requests = 5_000;
/** Maximum number of concurrent requests to the rate limiter. */
const concurrentRequests = 50;

type Redis = Awaited<ReturnType<typeof connect>>;

/** Cost of sharing state between processes, and load of Redis: the basis of capacity planning. */
export const shared: Figure = {
  name: 'shared',
  title: 'cost of shared state in Redis',
  async take({ rounds, streams }: BenchOptions) {
    const service = await startRedis();
    const redis = await connect(service.url);
    try {
      const memory = await followSessions(service.url, redis, streams);
      const samples = await interleave(
        {
          bare: async () => ({ ...(await passBare(service.url, redis)), ...(await ping(redis)) }),
          ours: async () => ({
            ...(await passFragments(service.url, redis)),
            ...(await countRequests(service.url, redis)),
          }),
        },
        { rounds: Math.min(rounds, 3) },
      );
      const row = (what: string, unit: string, of: (sample: Sample) => number) =>
        toRow({ what, unit, ours: samples.ours.map(of), floor: samples.bare.map(of) });
      return {
        rows: [
          toRow({
            what: 'a session with a reader, in the process',
            unit: 'KiB',
            ours: [memory.process],
          }),
          toRow({ what: 'a session with a reader, in Redis', unit: 'KiB', ours: [memory.redis] }),
          row('a fragment to another process, both of them', 'µs', ({ passing }) => passing),
          row('the same, Redis', 'µs', ({ passingInRedis }) => passingInRedis),
          row(
            'a request counted in and out, Redis',
            'µs',
            ({ countingInRedis }) => countingInRedis,
          ),
          row('the wait to be counted in, median', 'ms', ({ waits }) => percentile(waits, 0.5)),
          row('the wait to be counted in, p99', 'ms', ({ waits }) => percentile(waits, 0.99)),
        ],
        notes: [
          'Values in µs are processor time. Both ends are in one process, which makes no difference.',
          'The floor uses only the Redis client: it publishes the same text, and sends PING instead of rate limiting.',
        ],
      };
    } finally {
      redis.destroy();
      await service.stop();
    }
  },
};

interface Sample {
  passing: number;
  passingInRedis: number;
  countingInRedis: number;
  /** Durations of sequential requests in milliseconds. */
  waits: number[];
}

const ports = (url: string) => ({
  url,
  clock: systemClock,
  random: systemRandom,
  log: createLogger(systemClock.now, (line) => void process.stderr.write(line)),
});

async function connect(url: string) {
  const client = createClient({ url });
  return client.connect();
}

async function followSessions(url: string, redis: Redis, count: number) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const bus = await createRedisBus(ports(url));
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = { process: heap(), redis: await memoryOf(redis) };
  for (let n = 0; n < count; n += 1) await bus.follow(`session_of_the_bench_${n}`).ready;
  const inProcess = (heap() - before.process) / count / 1024;
  const inRedis = ((await memoryOf(redis)) - before.redis) / count / 1024;
  await bus.close();
  return { process: inProcess, redis: inRedis };
}

async function passFragments(url: string, redis: Redis) {
  const [from, to] = await Promise.all([createRedisBus(ports(url)), createRedisBus(ports(url))]);
  let heard = 0;
  to.subscribe(() => {
    heard += 1;
  });
  await to.follow('session').ready;
  const passed = await pass(
    redis,
    () => heard,
    (number) => from.publish(fragment(number)),
  );
  await Promise.all([from.close(), to.close()]);
  return passed;
}

async function passBare(url: string, redis: Redis) {
  const [from, to] = await Promise.all([connect(url), connect(url)]);
  let heard = 0;
  await to.subscribe('bare', (text) => {
    heard += JSON.parse(text) ? 1 : 0;
  });
  const passed = await pass(
    redis,
    () => heard,
    async (number) => {
      void from.publish('bare', JSON.stringify(fragment(number)));
    },
  );
  from.destroy();
  to.destroy();
  return passed;
}

function fragment(number: number): BusMessage {
  const event = { id: 'event', type: 'agent.message' as const };
  const text = 'A few words of an answer, as many as arrive in 25 ms.';
  return { kind: 'session_delta', sessionId: 'session', event, offset: number, text };
}

/** CPU time per fragment in microseconds, in this process and in Redis. */
async function pass(
  redis: Redis,
  heard: () => number,
  send: (number: number) => Promise<void>,
): Promise<{ passing: number; passingInRedis: number }> {
  const inRedis = await processorOf(redis);
  const here = process.cpuUsage();
  const deadline = Date.now() + 30_000;
  for (let sent = 0; heard() < fragments; ) {
    if (Date.now() > deadline) throw new Error('Fragments were lost: Redis fell behind.');
    while (sent < fragments && sent - heard() < concurrentFragments) await send(sent++);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { user, system } = process.cpuUsage(here);
  return {
    passing: (user + system) / fragments,
    passingInRedis: ((await processorOf(redis)) - inRedis) / fragments,
  };
}

async function countRequests(url: string, redis: Redis) {
  const limiter = await createRedisLimiter(ports(url));
  const limits = { requests_per_second: 1_000_000, concurrent: 1_000_000 };
  const admit = async (person: number) => {
    const asked = performance.now();
    const { release } = await limiter.admit(`person-${person}`, limits);
    const waited = performance.now() - asked;
    release();
    return waited;
  };
  const before = await processorOf(redis);
  for (let person = 0; person < requests; person += concurrentRequests) {
    await Promise.all(Array.from({ length: concurrentRequests }, (_, n) => admit(person + n)));
  }
  const countingInRedis = ((await processorOf(redis)) - before) / requests;
  const waits: number[] = [];
  while (waits.length < 500) waits.push(await admit(waits.length % 20));
  await limiter.close();
  return { countingInRedis, waits };
}

async function ping(redis: Redis) {
  const before = await processorOf(redis);
  for (let at = 0; at < requests; at += concurrentRequests) {
    await Promise.all(Array.from({ length: concurrentRequests }, () => redis.ping()));
  }
  const countingInRedis = ((await processorOf(redis)) - before) / requests;
  const waits: number[] = [];
  while (waits.length < 500) {
    const asked = performance.now();
    await redis.ping();
    waits.push(performance.now() - asked);
  }
  return { countingInRedis, waits };
}

async function memoryOf(redis: Redis): Promise<number> {
  return numberOf(await redis.info('memory'), 'used_memory');
}

/** Total CPU time of Redis in microseconds. */
async function processorOf(redis: Redis): Promise<number> {
  const info = await redis.info('cpu');
  return 1_000_000 * (numberOf(info, 'used_cpu_user') + numberOf(info, 'used_cpu_sys'));
}

function numberOf(info: string, name: string): number {
  return Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]);
}
