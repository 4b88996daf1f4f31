import { describe, expect, it } from 'vitest';
import type { EventLog } from '../events/event-log.ts';
import { Channel } from './channel.ts';
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
      requestPartialEvent() {},
      onError(error) {
        throw error;
      },
    },
  );
  const reader = {
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
});
