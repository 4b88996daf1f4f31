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
import type { Benchmark, BenchOptions } from '../lib/benchmark.ts';
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

/** Cost of the state that processes share in Redis, and the load of Redis, for capacity planning. */
export const sharedState: Benchmark = {
  name: 'shared',
  title: 'cost of shared state in Redis',
  async run({ rounds, streams }: BenchOptions) {
    const service = await startRedis();
    const redis = await connect(service.url);
    try {
      const memory = await measureSessionMemory(service.url, redis, streams);
      const samples = await interleave(
        {
          baseline: async () => ({
            ...(await measureBaselineBus(service.url, redis)),
            ...(await measurePing(redis)),
          }),
          measured: async () => ({
            ...(await measureBus(service.url, redis)),
            ...(await measureLimiter(service.url, redis)),
          }),
        },
        { rounds: Math.min(rounds, 3) },
      );
      const row = (metric: string, unit: string, select: (sample: Sample) => number) =>
        toRow({
          metric,
          unit,
          measured: samples.measured.map(select),
          baseline: samples.baseline.map(select),
        });
      return {
        rows: [
          toRow({
            metric: 'memory of a session with a reader, in the process',
            unit: 'KiB',
            measured: [memory.process],
          }),
          toRow({
            metric: 'memory of a session with a reader, in Redis',
            unit: 'KiB',
            measured: [memory.redis],
          }),
          row(
            'fragment to another process, processor time of both',
            'µs',
            ({ busTime }) => busTime,
          ),
          row(
            'fragment to another process, processor time of Redis',
            'µs',
            ({ busTimeInRedis }) => busTimeInRedis,
          ),
          row(
            'request to the rate limiter, processor time of Redis',
            'µs',
            ({ limiterTimeInRedis }) => limiterTimeInRedis,
          ),
          row('time until the rate limiter admits a request, median', 'ms', ({ admissionTimes }) =>
            percentile(admissionTimes, 0.5),
          ),
          row('time until the rate limiter admits a request, p99', 'ms', ({ admissionTimes }) =>
            percentile(admissionTimes, 0.99),
          ),
        ],
        notes: [
          'Values in µs are processor time. Publisher and subscriber are in one process.',
          'The baseline uses only the Redis client: it publishes the same text, and sends PING instead of rate limiting.',
        ],
      };
    } finally {
      redis.destroy();
      await service.stop();
    }
  },
};

interface Sample {
  busTime: number;
  busTimeInRedis: number;
  limiterTimeInRedis: number;
  /** Durations of sequential requests in milliseconds. */
  admissionTimes: number[];
}

const redisOptions = (url: string) => ({
  url,
  clock: systemClock,
  random: systemRandom,
  log: createLogger(systemClock.now, (line) => void process.stderr.write(line)),
});

async function connect(url: string) {
  const client = createClient({ url });
  return client.connect();
}

async function measureSessionMemory(url: string, redis: Redis, count: number) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const bus = await createRedisBus(redisOptions(url));
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = { process: heap(), redis: await memoryOf(redis) };
  for (let n = 0; n < count; n += 1) await bus.follow(`bench_session_${n}`).ready;
  const inProcess = (heap() - before.process) / count / 1024;
  const inRedis = ((await memoryOf(redis)) - before.redis) / count / 1024;
  await bus.close();
  return { process: inProcess, redis: inRedis };
}

async function measureBus(url: string, redis: Redis) {
  const [from, to] = await Promise.all([
    createRedisBus(redisOptions(url)),
    createRedisBus(redisOptions(url)),
  ]);
  let received = 0;
  to.subscribe(() => {
    received += 1;
  });
  await to.follow('session').ready;
  const delivery = await measureDelivery(
    redis,
    () => received,
    (number) => from.publish(fragment(number)),
  );
  await Promise.all([from.close(), to.close()]);
  return delivery;
}

async function measureBaselineBus(url: string, redis: Redis) {
  const [from, to] = await Promise.all([connect(url), connect(url)]);
  let received = 0;
  await to.subscribe('baseline', (text) => {
    received += JSON.parse(text) ? 1 : 0;
  });
  const delivery = await measureDelivery(
    redis,
    () => received,
    async (number) => {
      void from.publish('baseline', JSON.stringify(fragment(number)));
    },
  );
  from.destroy();
  to.destroy();
  return delivery;
}

function fragment(number: number): BusMessage {
  const event = { id: 'event', type: 'agent.message' as const };
  const text = 'A few words of an answer, as many as arrive in 25 ms.';
  return { kind: 'session_delta', sessionId: 'session', event, after: 3, offset: number, text };
}

/** CPU time per fragment in microseconds, in this process and in Redis. */
async function measureDelivery(
  redis: Redis,
  received: () => number,
  send: (number: number) => Promise<void>,
): Promise<{ busTime: number; busTimeInRedis: number }> {
  const redisBefore = await cpuTimeOf(redis);
  const cpuBefore = process.cpuUsage();
  const deadline = Date.now() + 30_000;
  for (let sent = 0; received() < fragments; ) {
    if (Date.now() > deadline) throw new Error('Fragments were lost: Redis fell behind.');
    while (sent < fragments && sent - received() < concurrentFragments) await send(sent++);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    busTime: (user + system) / fragments,
    busTimeInRedis: ((await cpuTimeOf(redis)) - redisBefore) / fragments,
  };
}

async function measureLimiter(url: string, redis: Redis) {
  const limiter = await createRedisLimiter(redisOptions(url));
  const limits = { requests_per_second: 1_000_000, concurrent: 1_000_000 };
  const admit = async (user: number) => {
    const sentAt = performance.now();
    const { release } = await limiter.admit(`user-${user}`, limits);
    const duration = performance.now() - sentAt;
    release();
    return duration;
  };
  const before = await cpuTimeOf(redis);
  for (let user = 0; user < requests; user += concurrentRequests) {
    await Promise.all(Array.from({ length: concurrentRequests }, (_, n) => admit(user + n)));
  }
  const limiterTimeInRedis = ((await cpuTimeOf(redis)) - before) / requests;
  const admissionTimes: number[] = [];
  while (admissionTimes.length < 500) admissionTimes.push(await admit(admissionTimes.length % 20));
  await limiter.close();
  return { limiterTimeInRedis, admissionTimes };
}

async function measurePing(redis: Redis) {
  const before = await cpuTimeOf(redis);
  for (let started = 0; started < requests; started += concurrentRequests) {
    await Promise.all(Array.from({ length: concurrentRequests }, () => redis.ping()));
  }
  const limiterTimeInRedis = ((await cpuTimeOf(redis)) - before) / requests;
  const admissionTimes: number[] = [];
  while (admissionTimes.length < 500) {
    const sentAt = performance.now();
    await redis.ping();
    admissionTimes.push(performance.now() - sentAt);
  }
  return { limiterTimeInRedis, admissionTimes };
}

async function memoryOf(redis: Redis): Promise<number> {
  return numberOf(await redis.info('memory'), 'used_memory');
}

/** Total CPU time of Redis in microseconds. */
async function cpuTimeOf(redis: Redis): Promise<number> {
  const info = await redis.info('cpu');
  return 1_000_000 * (numberOf(info, 'used_cpu_user') + numberOf(info, 'used_cpu_sys'));
}

function numberOf(info: string, name: string): number {
  return Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]);
}
