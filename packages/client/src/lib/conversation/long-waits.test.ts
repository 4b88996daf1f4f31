import { afterEach, describe, expect, it } from 'vitest';
import { InlayError } from '../errors.ts';
import { createTestBed, type TestBed } from '../testing/test-bed.ts';
import { codeOf } from '../testing/token-setup.ts';
import { hostTokens } from '../tokens/sources/host.ts';
import type { UserEntry } from './state.ts';

let bed: TestBed;
afterEach(() => bed.close());

const sendRoute = 'POST /sessions/{id}/events';
/** In seconds. */
const hour = 3_600;
const rateLimitFault = { code: 'RATE_LIMITED', retryAfterSeconds: 24 * hour } as const;

async function setup() {
  bed = createTestBed();
  const conversation = bed.client.conversation();
  await conversation.send('Hello');
  await bed.until(() => conversation.state.stopReason !== null);
  const userEntries = () =>
    conversation.state.entries.filter((entry): entry is UserEntry => entry.kind === 'user');
  const last = () => userEntries().at(-1);
  return { conversation, userEntries, last };
}

describe('a message that a long `Retry-After` delays', () => {
  it('T34: shows the time of the next attempt, as do later messages', async () => {
    const { conversation, userEntries, last } = await setup();
    bed.faults.failNext(rateLimitFault, sendRoute);
    const first = conversation.send('One');
    await bed.until(() => last()?.delivery === 'queued');
    const second = conversation.send('Two');
    await bed.clock.advance(1_000);

    const until = last()?.retryAt ?? 0;
    expect(until - bed.clock.now()).toBeGreaterThan((24 * hour - 2) * 1_000);
    expect(userEntries().map(({ delivery, retryAt }) => [delivery, retryAt])).toEqual([
      ['sent', null],
      ['queued', until],
      ['queued', until],
    ]);
    expect(conversation.state.running).toBe(false);
    const sends = bed.platform.count(sendRoute);
    await bed.clock.advance(23 * hour * 1_000);
    expect(bed.platform.count(sendRoute)).toBe(sends);
    await bed.clock.advance(hour * 1_000 + 2_000);
    await Promise.all([first, second]);
    expect(
      userEntries().every(({ retryAt, delivery }) => retryAt === null && delivery === 'sent'),
    ).toBe(true);
  });

  it('is sent immediately when the user retries', async () => {
    const { conversation, last } = await setup();
    bed.faults.failNext(rateLimitFault, sendRoute);
    const sent = conversation.send('One');
    await bed.until(() => last()?.delivery === 'queued');
    conversation.retry(last()?.key);
    await sent;

    expect(last()).toMatchObject({ delivery: 'sent', retryAt: null });
  });

  it('can be discarded, but the next message is delayed until the same time', async () => {
    const { conversation, last, userEntries } = await setup();
    bed.faults.failNext(rateLimitFault, sendRoute);
    const first = codeOf(conversation.send('One'));
    await bed.until(() => last()?.delivery === 'queued');
    const second = conversation.send('Two');
    second.catch(() => {});
    conversation.discard(userEntries().at(-2)?.key ?? '');

    expect(await first).toBe('ABORTED');
    await bed.clock.advance(60_000);
    expect(userEntries().map(({ text, delivery }) => [text, delivery])).toEqual([
      ['Hello', 'sent'],
      ['Two', 'queued'],
    ]);
    const until = last()?.retryAt ?? 0;
    expect(until).toBeGreaterThan(bed.clock.now());

    conversation.discard(last()?.key ?? '');
    expect(await codeOf(second)).toBe('ABORTED');
    const third = conversation.send('Three');
    await bed.clock.advance(1_000);
    expect(last()).toMatchObject({ text: 'Three', delivery: 'queued', retryAt: until });
    conversation.retry();
    await third;
    expect(bed.platform.session().log.filter(({ type }) => type === 'user.message').length).toBe(2);
  });

  it('is queued and can be retried if it is the first of its conversation', async () => {
    bed = createTestBed();
    bed.faults.failNext(rateLimitFault, 'POST /sessions');
    const conversation = bed.client.conversation();
    const sent = conversation.send('Hello');
    await bed.until(() => conversation.state.entries[0]?.kind === 'user');
    await bed.clock.advance(5_000);

    expect(conversation.state.entries[0]).toMatchObject({ delivery: 'queued' });
    conversation.retry();
    await sent;
    expect(conversation.state.entries[0]).toMatchObject({ delivery: 'sent', retryAt: null });
  });

  it('T34: shows the time of the next attempt, whichever request was refused', async () => {
    const day = 24 * hour;
    const sendsWith = async (prepare: () => void, options = {}) => {
      bed = createTestBed(options);
      prepare();
      const conversation = bed.client.conversation();
      conversation.send('Hello').catch(() => {});
      await bed.clock.advance(60_000);
      const [entry] = conversation.state.entries;
      expect(entry).toMatchObject({ kind: 'user', delivery: 'queued' });
      const { retryAt } = entry as UserEntry;
      expect(retryAt).toBeGreaterThan(bed.clock.now() + (day - 120) * 1_000);
      conversation.retry();
      await bed.until(() => (conversation.state.entries[0] as UserEntry).delivery === 'sent');
      expect(conversation.state.entries[0]).toMatchObject({ retryAt: null });
      bed.close();
    };

    await sendsWith(() => bed.faults.failNext(rateLimitFault, 'POST /sessions'));
    let calls = 0;
    const busy = new InlayError('TOKEN_UNAVAILABLE', 'Busy.', {
      ...{ status: 429, retryable: true, retryAfterMs: day * 1_000 },
    });
    const tokens = hostTokens(() => {
      calls += 1;
      if (calls === 1) throw busy;
      return bed.platform.issue('ada');
    });
    await sendsWith(() => {}, { client: { tokens } });
  });

  it('is sent without a further delay after the computer slept', async () => {
    const { conversation, last } = await setup();
    bed.faults.failNext({ code: 'RATE_LIMITED', retryAfterSeconds: 2 * hour }, sendRoute);
    const sent = conversation.send('One');
    await bed.until(() => last()?.delivery === 'queued');
    await bed.sleep(2 * hour * 1_000);
    await bed.clock.advance(62_000);
    await sent;
    expect(last()?.delivery).toBe('sent');
  });
});

describe('the configuration that a long `Retry-After` delays', () => {
  it('T34: is refused at once, and requested again by the next call', async () => {
    bed = createTestBed();
    bed.faults.failNext(rateLimitFault, 'GET /embed/config');

    expect(await codeOf(bed.client.config())).toBe('RATE_LIMITED');
    expect((await bed.client.config()).token.external_user_id).toBe('ada');
  });
});

describe('a stream that a long `Retry-After` delays', () => {
  it('shows the time of its next attempt, and is opened immediately when the user reconnects', async () => {
    const { conversation } = await setup();
    bed.faults.failNext(rateLimitFault, 'GET /sessions/{id}/events/stream');
    bed.faults.cutStreams();
    await bed.until(() => conversation.state.retryAt !== null);
    expect(conversation.state.connection).toBe('reconnecting');
    bed.page.goOffline();
    bed.page.goOnline();
    await bed.clock.advance(hour * 1_000);
    expect(conversation.state.retryAt).toBeGreaterThan(bed.clock.now());

    conversation.reconnect();
    await bed.until(() => conversation.state.connection === 'open', 1_000);
    expect(conversation.state.retryAt).toBeNull();
  });
});
