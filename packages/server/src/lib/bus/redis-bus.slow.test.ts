import { createClient } from '@redis/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../clock.ts';
import { ConfigError } from '../config/parse-config.ts';
import { createLogger } from '../log/logger.ts';
import { systemRandom } from '../random.ts';
import { startRedis, type TestRedis } from '../testing/services/redis.ts';
import type { BusMessage, BusOrigin } from './bus.ts';
import { createRedisBus } from './redis-bus.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

/** Connects to the bus like a process. `received` contains all messages that listeners were called with. */
async function joinBus(url = redis.url) {
  const logLines: string[] = [];
  const log = createLogger(systemClock.now, (line) => logLines.push(line));
  const bus = await createRedisBus({ url, log, clock: systemClock, random: systemRandom });
  onTestFinished(() => bus.close());
  const received: { message: BusMessage; from: BusOrigin }[] = [];
  bus.subscribe((message, from) => received.push({ message, from }));
  return { bus, received, logLines };
}

/** A plain Redis client, to publish invalid messages and to close connections. */
async function connectClient() {
  const client = createClient({ url: redis.url });
  await client.connect();
  onTestFinished(() => client.destroy());
  return client;
}

const tokenEnded = (issuanceId: string): BusMessage => ({
  kind: 'token_ended',
  issuanceId,
  code: 'EMBED_TOKEN_REVOKED',
  at: 1,
});
const sessionDelta = (sessionId: string, text = 'Hello'): BusMessage => ({
  kind: 'session_delta',
  sessionId,
  event: { id: 'evt_1', type: 'agent.message' },
  after: 3,
  offset: 0,
  text,
});
const sessionJoined = (sessionId: string): BusMessage => ({ kind: 'session_joined', sessionId });

describe('the bus between processes', () => {
  it('R01: delivers a revocation to other processes, and to its own listeners before `publish` resolves', async () => {
    const [first, second] = await Promise.all([joinBus(), joinBus()]);

    await first.bus.publish(tokenEnded('emb_1'));

    expect(first.received).toEqual([{ message: tokenEnded('emb_1'), from: 'here' }]);
    await expect
      .poll(() => second.received)
      .toEqual([{ message: tokenEnded('emb_1'), from: 'elsewhere' }]);
    await second.bus.publish(tokenEnded('emb_2'));
    await expect.poll(() => first.received).toHaveLength(2);
    expect(first.received[1]).toEqual({ message: tokenEnded('emb_2'), from: 'elsewhere' });
  });

  it('delivers the failure and the recovery of a model to other processes', async () => {
    const [first, second] = await Promise.all([joinBus(), joinBus()]);
    const failure = {
      failed_at: '2026-01-01T00:00:00.000Z',
      kind: 'http_error',
      status: 401,
    } as const;
    const messages = [failure, null].map(
      (last): BusMessage => ({ kind: 'model_called', agentId: 'agt_1', failure: last }),
    );
    for (const message of messages) await first.bus.publish(message);

    await expect
      .poll(() => second.received)
      .toEqual(messages.map((message) => ({ message, from: 'elsewhere' })));
  });

  it('delivers messages of a session only to processes that follow the session', async () => {
    const [runner, reader, unrelated] = await Promise.all([joinBus(), joinBus(), joinBus()]);
    const [once, twice] = [reader.bus.follow('ses_1'), reader.bus.follow('ses_1')];
    await Promise.all([once.ready, twice.ready]);
    once.end();
    once.end();

    await runner.bus.publish(sessionDelta('ses_2'));
    await runner.bus.publish(sessionDelta('ses_1'));
    await expect
      .poll(() => reader.received)
      .toEqual([{ message: sessionDelta('ses_1'), from: 'elsewhere' }]);
    twice.end();
    const again = reader.bus.follow('ses_3');
    await again.ready;
    await runner.bus.publish(sessionDelta('ses_1'));
    await runner.bus.publish(sessionJoined('ses_3'));

    await expect.poll(() => reader.received).toHaveLength(2);
    expect(reader.received[1]?.message).toEqual(sessionJoined('ses_3'));
    expect(unrelated.received).toEqual([]);
  });

  it('logs and ignores invalid messages', async () => {
    const { bus, received, logLines } = await joinBus();
    const client = await connectClient();
    const invalid = [
      'not json',
      '{}',
      JSON.stringify({ from: 'x', message: { kind: 'token_ended', issuanceId: 7 } }),
      JSON.stringify({ from: 'x', message: { kind: 'unheard_of' } }),
      JSON.stringify({ from: 'x', message: { ...sessionDelta('ses_1'), offset: -1 } }),
    ];

    for (const text of invalid) await client.publish('inlay:0:all', text);
    const validMessage = { from: 'x', message: tokenEnded('emb_1') };
    await client.publish('inlay:0:all', JSON.stringify(validMessage));

    await expect
      .poll(() => received)
      .toEqual([{ message: tokenEnded('emb_1'), from: 'elsewhere' }]);
    const warnings = logLines.filter((line) => line.includes('not understood'));
    expect(warnings).toHaveLength(invalid.length);
    expect(bus.state).toBe('redis');
  });

  it('delivers no messages between platforms that use different databases of one Redis', async () => {
    const [firstDatabase, secondDatabase] = await Promise.all([
      joinBus(redis.url),
      joinBus(`${redis.url}/1`),
    ]);
    const sameDatabase = await joinBus(`${redis.url}/1`);

    await firstDatabase.bus.publish(tokenEnded('emb_1'));
    await secondDatabase.bus.publish(tokenEnded('emb_2'));

    await expect
      .poll(() => sameDatabase.received.map(({ message }) => message))
      .toEqual([tokenEnded('emb_2')]);
    expect(firstDatabase.received).toHaveLength(1);
  });

  it('R02: does not block while Redis is unreachable, reconnects, and reports that messages may be missing', async () => {
    const [first, second] = await Promise.all([joinBus(), joinBus()]);
    await second.bus.follow('ses_1').ready;
    const before = systemClock.now();
    await expect.poll(() => second.bus.mayHaveMissed(systemClock.now())).toBe(false);

    await redis.down();
    await expect.poll(() => second.bus.state).toBe('redis_down');
    const startedAt = performance.now();
    for (let n = 0; n < 1000; n++) await first.bus.publish(sessionDelta('ses_1', 'x'.repeat(1000)));
    const laterSubscription = second.bus.follow('ses_2');
    await laterSubscription.ready;
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(second.bus.mayHaveMissed(before)).toBe(true);
    await redis.up();

    const isConnected = async () => {
      await first.bus.publish(sessionJoined('ses_2'));
      return second.received.some(({ message }) => message.kind === 'session_joined');
    };
    await expect.poll(isConnected).toBe(true);
    expect(second.bus.mayHaveMissed(before)).toBe(true);
    expect(second.bus.mayHaveMissed(systemClock.now() + 1)).toBe(false);
    // The messages were dropped, not queued: processes find the events in the log.
    expect(second.received.filter(({ message }) => message.kind === 'session_delta')).toEqual([]);
    for (const { logLines } of [first, second]) {
      expect(logLines.filter((line) => line.includes('does not respond'))).toHaveLength(1);
      expect(logLines.filter((line) => line.includes('is reachable again'))).toHaveLength(1);
    }
  });

  it('R02: neither blocks nor queues messages without a limit while Redis does not respond', async () => {
    const [first, second] = await Promise.all([joinBus(), joinBus()]);
    const before = process.memoryUsage().external;
    redis.pause();
    onTestFinished(() => redis.resume());

    const startedAt = performance.now();
    const text = 'x'.repeat(100_000);
    for (let n = 0; n < 300; n++) await first.bus.publish(sessionDelta('ses_1', text));
    await first.bus.follow('ses_1').ready;
    // After the timeout of the previous command, this command is not sent.
    await first.bus.follow('ses_late').ready;
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    await expect.poll(() => first.bus.state).toBe('redis_down');
    // 30 MB were published, but only a limited part of them is queued.
    expect(process.memoryUsage().external - before).toBeLessThan(20_000_000);

    redis.resume();
    await expect.poll(() => first.bus.state).toBe('redis');
    const isConnected = async () => {
      await first.bus.publish(tokenEnded('emb_1'));
      await second.bus.publish(sessionJoined('ses_late'));
      const isReceived = first.received.some(
        ({ message, from }) => message.kind === 'session_joined' && from === 'elsewhere',
      );
      return isReceived && second.received.some(({ message }) => message.kind === 'token_ended');
    };
    await expect.poll(isConnected).toBe(true);
  });

  it('starts while Redis is unreachable, and connects when Redis becomes reachable', async () => {
    await redis.down();
    const { bus, logLines } = await joinBus();
    expect(bus.state).toBe('redis_down');
    await redis.up();

    await expect.poll(() => bus.state).toBe('redis');
    expect(logLines.join('')).toContain('continuing without it');
  });

  it('rejects with an error that names REDIS_URL, without the password, if Redis refuses the connection', async () => {
    const secret = 'a-password-of-redis';
    const refused = joinBus(redis.url.replace('redis://', `redis://someone:${secret}@`));

    await expect(refused).rejects.toThrow(ConfigError);
    await expect(refused).rejects.toThrow(
      /The Redis of REDIS_URL rejects the connection: WRONGPASS/,
    );
    await expect(refused).rejects.not.toThrow(secret);
    await expect(refused).rejects.not.toThrow('..');
    await expect(joinBus(`${redis.url}/99`)).rejects.toThrow('DB index is out of range');
  });
});
