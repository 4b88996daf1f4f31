import { describe, expect, it } from 'vitest';
import { setupBed } from '../testing/bed-setup.ts';
import type { TestBedOptions } from '../testing/test-bed.ts';
import './log-polling.ts';

function setup(options: TestBedOptions = {}) {
  const bed = setupBed(options);
  const name = `inlay:${bed.platform.baseUrl}/agent/v1`;
  const other = bed.ports.channel(name, () => {});
  if (!other) throw new Error('There is no channel.');
  /** Announces that other tabs open or close their streams. */
  const announceTabs = (open: boolean, ...ids: readonly string[]) => {
    for (const id of ids) other.postMessage({ id, open });
  };
  const polls = () => bed.platform.requests.filter(({ path }) => path.includes('after_seq')).length;
  const closeChannel = () => other.close();
  return {
    bed,
    announceTabs,
    polls,
    closeChannel,
    post: (message: unknown) => other.postMessage(message),
  };
}

const streamRequest = 'GET /sessions/{id}/events/stream';
const fourTabIds = ['a', 'b', 'c', 'd'];

describe('TabSlots', () => {
  it('S28: polls the log if a tab loses its slot while its session is being created and the stream then stalls', async () => {
    const { bed, announceTabs, polls, closeChannel } = setup({
      answer: [{ say: ['One '], delay_ms: 500_000 }],
    });
    bed.faults.hold('POST /sessions');
    const conversation = bed.client.conversation();
    conversation.send('Hello').catch(() => {});
    await bed.clock.advance(100);
    announceTabs(true, ...fourTabIds);
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
    closeChannel();
  });

  it('S28: continues to stream if a tab loses its slot and immediately gets it back', async () => {
    const { bed, announceTabs, polls, closeChannel } = setup();
    const session = bed.platform.createSession({ user: 'ada' });
    const conversation = bed.client.conversation(session.id);
    await bed.clock.advance(1_000);
    announceTabs(true, ...fourTabIds);
    announceTabs(false, 'a');
    await bed.clock.advance(10_000);
    const pollsBefore = polls();
    await bed.clock.advance(60_000);
    expect([bed.faults.openStreams, polls() - pollsBefore]).toEqual([1, 0]);
    expect(conversation.state.connection).toBe('open');
    closeChannel();
  });

  it('S28: opens no stream if a tab loses its slot while it requests a token', async () => {
    const { bed, announceTabs, closeChannel } = setup();
    const session = bed.platform.createSession({ user: 'ada' });
    bed.client.conversation(session.id);
    await bed.clock.advance(1_000);
    bed.faults.failNext({ code: 'EMBED_TOKEN_EXPIRED' }, streamRequest);
    bed.faults.hold('GET /embed/config');
    bed.faults.cutStreams();
    await bed.clock.advance(4_000);
    announceTabs(true, ...fourTabIds);
    await bed.clock.advance(100);
    bed.faults.release('GET /embed/config');
    await bed.clock.advance(5_000);
    expect(bed.faults.openStreams).toBe(0);
    closeChannel();
  });

  it('S28: has only half as many slots behind a buffering proxy', async () => {
    const { bed, announceTabs, closeChannel } = setup();
    bed.faults.bufferStreams();
    const conversation = bed.client.conversation();
    const isBufferingReported = () =>
      bed.diagnostics.some(({ type }) => type === 'stream_buffered');
    for (let count = 0; !isBufferingReported(); count += 1) {
      conversation.send(`Hello ${count}`).catch(() => {});
      await bed.clock.advance(20_000);
    }
    announceTabs(true, 'a', 'b');
    bed.faults.cutStreams();
    await bed.clock.advance(60_000);
    expect(bed.faults.openStreams).toBe(0);
    closeChannel();
  });

  it('ignores messages of other scripts on its channel', async () => {
    const { bed, post, closeChannel } = setup();
    const session = bed.platform.createSession({ user: 'ada' });
    bed.client.conversation(session.id);
    await bed.clock.advance(1_000);
    for (const message of [null, 'a', 7, [], {}, { id: 1, open: true }, { open: true }])
      post(message);
    await bed.clock.advance(1_000);
    expect(bed.faults.openStreams).toBe(1);
    closeChannel();
  });

  it('S28: releases its slot when the user leaves the page, and claims it again when the page is restored', async () => {
    const messages: { open: boolean }[] = [];
    const channel = () => ({
      postMessage: (message: unknown) => messages.push(message as never),
      close() {},
    });
    const { bed, closeChannel } = setup({ client: { ports: { channel } } });
    const session = bed.platform.createSession({ user: 'ada' });
    bed.client.conversation(session.id);
    await bed.clock.advance(1_000);
    bed.page.emit('left');
    expect(messages.at(-1)?.open).toBe(false);
    bed.page.emit('restored');
    expect(messages.at(-1)?.open).toBe(true);
    closeChannel();
  });
});
