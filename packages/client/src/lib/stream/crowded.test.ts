import { afterEach, describe, expect, it } from 'vitest';
import { createTestBed, type TestBed, type TestBedOptions } from '../testing/test-bed.ts';
import './log-polling.ts';

const beds: TestBed[] = [];
afterEach(async () => {
  for (const bed of beds.splice(0)) await bed.close();
});

function setup(options: TestBedOptions = {}) {
  const bed = createTestBed(options);
  beds.push(bed);
  const name = `inlay:${bed.platform.baseUrl}/agent/v1`;
  const other = bed.ports.channel(name, () => {});
  if (!other) throw new Error('the page has no channel');
  /** Other tabs, as their streams are wanted and given up. */
  const tabs = (open: boolean, ...ids: readonly string[]) => {
    for (const id of ids) other.postMessage({ id, open });
  };
  const polls = () => bed.platform.requests.filter(({ path }) => path.includes('after_seq')).length;
  const leave = () => other.close();
  return { bed, tabs, polls, leave, say: (message: unknown) => other.postMessage(message) };
}

const stream = 'GET /sessions/{id}/events/stream';
const four = ['a', 'b', 'c', 'd'];

describe('a tab that loses its slot', () => {
  it('S28: while its session is being created, polls the log when its stream has died', async () => {
    const { bed, tabs, polls, leave } = setup({ answer: [{ say: ['One '], delay_ms: 500_000 }] });
    bed.faults.hold('POST /sessions');
    const conversation = bed.client.conversation();
    conversation.send('Hello').catch(() => {});
    await bed.clock.advance(100);
    tabs(true, ...four);
    await bed.clock.advance(100);
    bed.faults.release('POST /sessions');
    await bed.clock.advance(2_000);
    bed.faults.cutStreams({ silently: true });
    await bed.clock.advance(70_000);
    bed.platform.session().append({
      type: 'session.status_idle',
      stop_reason: { type: 'end_turn' },
    });
    await bed.until(() => conversation.state.stopReason !== null, 10_000);
    expect(polls()).toBeGreaterThan(3);
    leave();
  });

  it('S28: and gets it back at once, continues to stream', async () => {
    const { bed, tabs, polls, leave } = setup();
    const session = bed.platform.createSession({ user: 'ada' });
    const conversation = bed.client.conversation(session.id);
    await bed.clock.advance(1_000);
    tabs(true, ...four);
    tabs(false, 'a');
    await bed.clock.advance(10_000);
    const asked = polls();
    await bed.clock.advance(60_000);
    expect([bed.faults.openStreams, polls() - asked]).toEqual([1, 0]);
    expect(conversation.state.connection).toBe('open');
    leave();
  });

  it('S28: while its token is requested, opens no stream', async () => {
    const { bed, tabs, leave } = setup();
    const session = bed.platform.createSession({ user: 'ada' });
    bed.client.conversation(session.id);
    await bed.clock.advance(1_000);
    bed.faults.failNext({ code: 'EMBED_TOKEN_EXPIRED' }, stream);
    bed.faults.hold('GET /embed/config');
    bed.faults.cutStreams();
    await bed.clock.advance(4_000);
    tabs(true, ...four);
    await bed.clock.advance(100);
    bed.faults.release('GET /embed/config');
    await bed.clock.advance(5_000);
    expect(bed.faults.openStreams).toBe(0);
    leave();
  });

  it('S28: has two connections with three other tabs behind a buffering proxy', async () => {
    const { bed, tabs, leave } = setup();
    bed.faults.holdStreamsBack();
    const conversation = bed.client.conversation();
    const told = () => bed.diagnostics.some(({ type }) => type === 'stream_buffered');
    for (let count = 0; !told(); count += 1) {
      conversation.send(`Hello ${count}`).catch(() => {});
      await bed.clock.advance(20_000);
    }
    tabs(true, 'a', 'b');
    bed.faults.cutStreams();
    await bed.clock.advance(60_000);
    expect(bed.faults.openStreams).toBe(0);
    leave();
  });

  it('ignores messages of other scripts on its channel', async () => {
    const { bed, say, leave } = setup();
    const session = bed.platform.createSession({ user: 'ada' });
    bed.client.conversation(session.id);
    await bed.clock.advance(1_000);
    for (const message of [null, 'a', 7, [], {}, { id: 1, open: true }, { open: true }])
      say(message);
    await bed.clock.advance(1_000);
    expect(bed.faults.openStreams).toBe(1);
    leave();
  });

  it('S28: releases its slot when the page is left', async () => {
    const said: { open: boolean }[] = [];
    const channel = () => ({
      postMessage: (message: unknown) => said.push(message as never),
      close() {},
    });
    const { bed, leave } = setup({ client: { ports: { channel } } });
    const session = bed.platform.createSession({ user: 'ada' });
    bed.client.conversation(session.id);
    await bed.clock.advance(1_000);
    bed.page.emit('left');
    expect(said.at(-1)?.open).toBe(false);
    bed.page.emit('restored');
    expect(said.at(-1)?.open).toBe(true);
    leave();
  });
});
