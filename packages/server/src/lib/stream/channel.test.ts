import { setImmediate } from 'node:timers/promises';
import type { LogEvent } from '@inlay/protocol';
import { describe, expect, it } from 'vitest';
import type { EventLog } from '../events/event-log.ts';
import { UserTurns } from '../limits/user-turns.ts';
import { Channel } from './channel.ts';
import type { Reader } from './reader.ts';

/** Opens a channel of the session `ses_1`. */
function openChannel(events: EventLog): Channel {
  return new Channel(
    'ses_1',
    { ready: Promise.resolve(), end() {} },
    {
      events,
      replayBytes: 1000,
      pageReads: new UserTurns(4),
      requestPartialEvent() {},
      onError(error) {
        throw error;
      },
    },
  );
}

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
  const channel = openChannel(events);
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
    const events = {
      lastSeq: async () => pageCount,
      readPage: async (_: string, { after }: { after: number }) =>
        after < pageCount ? [event(after + 1)] : [],
    } as unknown as EventLog;
    const channel = openChannel(events);
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

  it('sends the fragments of an answer whose run began while the stream was being opened', async () => {
    const event = (seq: number, type: string) => ({ type, id: `evt_${seq}`, seq }) as LogEvent;
    const stored = [event(1, 'user.message')];
    const events = {
      // Read before the run began.
      lastSeq: async () => 1,
      readPage: async (_: string, { after }: { after: number }) => stored.slice(after),
    } as unknown as EventLog;
    const channel = openChannel(events);
    let received = '';
    const joined = channel.join({
      caller: { agentId: 'agent', externalUserId: 'ada' },
      isOpen: true,
      isLive: false,
      lastSeq: 0,
      drained: async () => {},
      deltas: new Set(['agent.message']),
      write(bytes: Buffer) {
        received += bytes;
      },
    } as unknown as Reader);
    const sendDelta = (offset: number, text: string) =>
      channel.handleMessage({
        kind: 'session_delta',
        sessionId: 'ses_1',
        event: { id: 'evt_4', type: 'agent.message' },
        after: 3,
        offset,
        text,
      });
    const start = [event(2, 'session.status_running'), event(3, 'span.model_request_start')];
    stored.push(...start);
    channel.handleMessage({ kind: 'session_events', sessionId: 'ses_1', events: start });
    sendDelta(0, 'Hel');

    await joined;
    sendDelta(3, 'lo');

    const types = [...received.matchAll(/^event: (.*)$/gm)].map(([, type]) => type);
    expect(types).toEqual([
      'user.message',
      'session.status_running',
      'span.model_request_start',
      'event_start',
      'event_delta',
      'event_delta',
    ]);
  });
});
