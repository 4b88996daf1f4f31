import { createTestBed, type TestBed } from '@inlay/client/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

let bed: TestBed;
beforeEach(() => {
  bed = createTestBed({ answer: [{ say: ['It is ', 'on its ', 'way.'], delay_ms: 1_000 }] });
});
afterEach(() => bed.close());

it('shows the complete answer after a disconnect', async () => {
  const conversation = bed.client.conversation();
  await conversation.send('Where is my order?');
  await bed.clock.advance(1_500);

  bed.faults.cutStreams();
  await bed.until(() => conversation.state.stopReason !== null);

  const texts = conversation.state.entries.map((entry) => 'text' in entry && entry.text);
  expect(texts).toEqual(['Where is my order?', 'It is on its way.']);
});

it('sends a message once, although the response was lost', async () => {
  const conversation = bed.client.conversation();
  await conversation.send('Hi');
  bed.faults.loseResponse('POST /sessions/{id}/events');

  const sent = conversation.send('Pay, please');
  await bed.until(() => bed.platform.count('POST /sessions/{id}/events') === 2);
  await sent;

  const messages = bed.platform.session().log.filter(({ type }) => type === 'user.message');
  expect(messages).toHaveLength(2);
});

it('queues messages while offline', async () => {
  const conversation = bed.client.conversation();
  await conversation.send('Hi');
  bed.goOffline();

  const sent = conversation.send('Are you there?');
  await bed.until(() => conversation.state.connection === 'offline');
  expect(conversation.state.entries.at(-1)).toMatchObject({ delivery: 'queued' });

  bed.goOnline();
  await sent;
  expect(conversation.state.entries.some((entry) => entry.kind === 'notice')).toBe(false);
});

it('waits for Retry-After when the platform is busy', async () => {
  bed.faults.failNext({ code: 'RATE_LIMITED', retryAfterSeconds: 7 }, 'POST /sessions');
  const conversation = bed.client.conversation();

  const sent = conversation.send('Hi');
  await bed.clock.advance(6_000);
  expect(bed.platform.sessions).toHaveLength(0);

  await bed.until(() => bed.platform.sessions.length === 1);
  await sent;
});
