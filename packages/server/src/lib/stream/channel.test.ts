import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { EventLog } from '../events/event-log.ts';
import { Channel } from './channel.ts';
import { PageReads } from './page-reads.ts';
import type { Reader } from './reader.ts';

/** Creates a channel of a session whose events were deleted, and a reader that has some of them. */
function setup({ channelSeq, readerSeq }: { channelSeq: number; readerSeq: number }) {
  let queries = 0;
  const events = {
    lastSeq: async () => channelSeq,
    async readPage() {
      queries += 1;
      // An endless loop of queries would block the test process.
      if (queries > 10) throw new Error('too many queries');
      return [];
    },
  } as unknown as EventLog;
  const channel = new Channel(
    'ses_deleted',
    { ready: Promise.resolve(), end() {} },
    {
      events,
      replayBytes: 1000,
      pageReads: new PageReads(),
      requestPartialEvent() {},
      onError(error) {
        throw error;
      },
    },
  );
  const reader = {
    caller: { agentId: 'agent', externalUserId: 'ada' },
    isOpen: true,
    isLive: false,
    lastSeq: readerSeq,
    drained: async () => {},
    end() {
      this.isOpen = false;
    },
  };
  return { channel, reader };
}

describe('a channel', () => {
  it.each([
    { channelSeq: 0, readerSeq: 3 },
    { channelSeq: 6, readerSeq: 3 },
  ])('ends a stream whose session is deleted while the stream is opened: %j', async (positions) => {
    const { channel, reader } = setup(positions);

    await channel.join(reader as unknown as Reader);

    expect(reader).toMatchObject({ isOpen: false, isLive: false });
  });

  it('handles other requests between the pages of a replay, even if the store and the readers never wait', async () => {
    const pageCount = 40;
    const event = (seq: number) => ({ type: 'agent.message', id: `evt_${seq}`, seq });
    const pageReads = new PageReads();
    const events = {
      lastSeq: async () => pageCount,
      readPage: async (_: string, { after }: { after: number }) =>
        after < pageCount ? [event(after + 1)] : [],
    } as unknown as EventLog;
    const channel = new Channel(
      'ses_1',
      { ready: Promise.resolve(), end() {} },
      { events, replayBytes: 1000, pageReads, requestPartialEvent() {}, onError() {} },
    );
    let writesInTurn = 0;
    let maximumInTurn = 0;
    const replays = Array.from({ length: 30 }, (_, index) =>
      channel.join({
        caller: { agentId: 'agent', externalUserId: `user ${index}` },
        isOpen: true,
        isLive: false,
        lastSeq: 0,
        drained: async () => {},
        deltas: new Set(),
        write() {
          writesInTurn += 1;
          maximumInTurn = Math.max(maximumInTurn, writesInTurn);
        },
      } as unknown as Reader),
    );
    let isReplaying = true;
    const replayed = Promise.all(replays).then(() => {
      isReplaying = false;
    });
    let turns = 0;
    for (; isReplaying; turns += 1) {
      writesInTurn = 0;
      await setImmediate();
    }
    await replayed;

    expect(maximumInTurn).toBeLessThanOrEqual(8);
    expect(turns).toBeGreaterThan(pageCount);
  });
});
