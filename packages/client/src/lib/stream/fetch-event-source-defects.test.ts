/**
 * Each test shows that the client does not have a defect of `@microsoft/fetch-event-source` 2.0.1: the client
 * does what the title says, and the library does not.
 */
import { describe, expect, it, vi } from 'vitest';
import type { Conversation } from '../inlay-client.ts';
import { setupBed } from '../testing/bed-setup.ts';
import { setupClient, until } from '../testing/client-setup.ts';
import { readStream } from '../testing/stream-setup.ts';
import type { TestBedOptions } from '../testing/test-bed.ts';

const streamRequest = 'GET /sessions/{id}/events/stream';

/** An open conversation without events. */
async function setup(options: TestBedOptions = {}) {
  const bed = setupBed(options);
  const session = bed.platform.createSession({ user: 'ada' });
  const conversation = bed.client.conversation(session.id);
  await bed.until(() => conversation.state.connection === 'open');
  return { bed, session, conversation };
}

const lastText = ({ state }: Conversation) => {
  const entry = state.entries.at(-1);
  return entry && 'text' in entry ? entry.text : null;
};

describe('the client, unlike fetch-event-source,', () => {
  it('1: closes the response of a failed read', async () => {
    const { outcome, disconnects } = await readStream([], {
      respond: (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`data: ${'x'.repeat(1_100_000)}`);
      },
    });
    expect(outcome).toBe('STREAM_OVERFLOW');
    await until(() => disconnects() === 1);
  });

  it('2: does not retry after an abort in an error handler', async () => {
    const bed = setupBed({
      client: {
        onDiagnostic: ({ type }) => {
          if (type === 'stream_retry') conversation.close();
        },
      },
    });
    const session = bed.platform.createSession({ user: 'ada' });
    const conversation = bed.client.conversation(session.id);
    await bed.until(() => bed.faults.openStreams === 1);
    bed.faults.cutStreams();
    await bed.clock.advance(600_000);
    expect(bed.platform.count(streamRequest)).toBe(1);
  });

  it('3: opens no second stream when a tab is shown during a retry', async () => {
    const { bed } = await setup();
    bed.faults.failNext('network', streamRequest, 3);
    bed.faults.cutStreams();
    for (let count = 0; count < 20; count += 1) {
      bed.page.hide();
      bed.page.show();
      await bed.clock.advance(100);
      expect(bed.faults.openStreams).toBeLessThanOrEqual(1);
    }
    await bed.clock.advance(60_000);
    expect(bed.faults.openStreams).toBe(1);
  });

  it('4: does not repeat a POST when the user switches tabs', async () => {
    const bed = setupBed({ answer: [{ say: ['One ', 'two'], delay_ms: 1_000 }] });
    const conversation = bed.client.conversation();
    void conversation.send('Count');
    await bed.clock.advance(500);
    for (let count = 0; count < 5; count += 1) {
      bed.page.hide();
      bed.page.show();
      await bed.clock.advance(100);
    }
    await bed.until(() => lastText(conversation) === 'One two');
    expect(bed.platform.count('POST /sessions')).toBe(1);
    expect(bed.platform.sessions).toHaveLength(1);
  });

  it('5: reopens a stream that the server closed', async () => {
    const { bed, session, conversation } = await setup();
    // The platform closes every stream within ten minutes.
    await bed.clock.advance(700_000);
    expect(bed.platform.count(streamRequest)).toBeGreaterThan(1);
    session.say('Still here.');
    await bed.clock.advance(100);
    expect(lastText(conversation)).toBe('Still here.');
    expect(conversation.state.connection).toBe('open');
  });

  it('6: reports neither an end nor an error of an aborted stream', async () => {
    const { bed, conversation } = await setup();
    conversation.close();
    await bed.clock.advance(60_000);
    expect(conversation.state).toMatchObject({ connection: 'closed', error: null });
    expect(bed.diagnostics).toEqual([]);
  });

  it('7: sends no request for an aborted signal, and removes its abort listeners', async () => {
    const { signal } = new AbortController();
    const listeners = new Set<unknown>();
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (type: string, listener: EventListener) => {
      listeners.add(listener);
      addEventListener.call(signal, type, listener);
    };
    signal.removeEventListener = (type: string, listener: EventListener) => {
      listeners.delete(listener);
      removeEventListener.call(signal, type, listener);
    };
    await readStream(['data: 1\n\n'], { signal });
    expect(listeners.size).toBe(0);
    const { requests } = await readStream([], { signal: AbortSignal.abort() });
    expect(requests()).toBe(0);
  });

  it('8: retries network failures with backoff, and does not retry after NOT_FOUND', async () => {
    const { bed, conversation } = await setup();
    bed.faults.failNext('network', streamRequest, Infinity);
    bed.faults.cutStreams();
    await bed.clock.advance(600_000);
    expect(bed.platform.count(streamRequest)).toBeLessThan(90);
    bed.faults.clear();
    bed.faults.failNext({ code: 'NOT_FOUND' }, streamRequest, Infinity);
    await bed.clock.advance(60_000);
    const attempts = bed.platform.count(streamRequest);
    await bed.clock.advance(600_000);
    expect(bed.platform.count(streamRequest)).toBe(attempts);
    expect(conversation.state.error?.code).toBe('NOT_FOUND');
  });

  it('9: sends the current token with each attempt', async () => {
    const { bed, session, conversation } = await setup({ ttlSeconds: 60 });
    await bed.clock.advance(300_000);
    session.say('Five tokens later.');
    await bed.clock.advance(100);
    expect(lastText(conversation)).toBe('Five tokens later.');
    expect(bed.getTokenCalls).toBeGreaterThan(4);
  });

  it('10: delivers no message for a comment', async () => {
    const { bed } = await setup();
    await bed.clock.advance(120_000);
    expect(bed.diagnostics).toEqual([]);
    const { messages } = await readStream([': beat\n\n\n\n: beat\n\nid: 3\n\n']);
    expect(messages).toEqual([]);
  });

  it('11: keeps leading empty data lines, and data lines without a colon', async () => {
    const { messages } = await readStream(['data:\ndata: x\ndata\n\n']);
    expect(messages.map(({ data }) => data)).toEqual(['\nx\n']);
  });

  it('12: does not resume after the id of an incomplete event', async () => {
    const { bed, session, conversation } = await setup();
    const sizes: number[] = [];
    // Cuts each stream after five more bytes than the previous stream: in the id, in the data and between them.
    bed.faults.cutStreamsAfter((nth) => nth * 5);
    bed.faults.cutStreams();
    session.say('Whole.');
    await bed.until(() => {
      sizes.push(conversation.state.entries.length);
      return lastText(conversation) === 'Whole.';
    }, 36_000_000);
    expect(conversation.state.entries).toHaveLength(1);
    expect(Math.max(...sizes)).toBe(1);
  });

  it('13: accepts a `retry` field only if it consists of digits', async () => {
    const { retries } = await readStream(['retry: 10abc\n\nretry: -5\n\nretry: 70\n\n']);
    expect(retries).toEqual([70]);
  });

  it('14: does not retry after a 204 response', async () => {
    const { outcome, requests } = await readStream([], {
      respond: (response) => response.writeHead(204).end(),
    });
    expect([outcome, requests()]).toEqual(['NO_STREAM', 1]);
  });

  it('15: keeps the connection after an error in a listener', async () => {
    const { bed, session, conversation } = await setup();
    const error = new Error('a failure of the page');
    const reportError = vi.fn();
    vi.stubGlobal('reportError', reportError);
    conversation.subscribe(() => {
      throw error;
    });
    session.say('One.');
    await bed.clock.advance(100);
    session.say('Two.');
    await bed.clock.advance(100);
    expect(lastText(conversation)).toBe('Two.');
    expect(bed.platform.count(streamRequest)).toBe(1);
    expect(bed.diagnostics).toContainEqual({ type: 'listener_error', name: 'subscribe', error });
    expect(reportError).toHaveBeenCalledWith(error);
    vi.unstubAllGlobals();
  });

  it('16, S06: stops reading an endless event', async () => {
    const kilobyte = 'x'.repeat(1_024);
    let sent = 0;
    const { outcome } = await readStream([], {
      respond: (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: ');
        const writeMore = () => {
          sent += 1;
          if (!response.destroyed && sent < 8_192) response.write(kilobyte, writeMore);
        };
        writeMore();
      },
    });
    expect(outcome).toBe('STREAM_OVERFLOW');
    expect(sent).toBeLessThan(8_192);
  });

  it('17: detects a half-open connection', async () => {
    const { bed, session, conversation } = await setup();
    bed.faults.cutStreams({ silently: true });
    session.say('Did you hear?');
    await bed.until(() => lastText(conversation) === 'Did you hear?', 50_000);
  });

  it('18: requires no window and no document', async () => {
    expect([typeof window, typeof document]).toEqual(['undefined', 'undefined']);
    const { messages } = await readStream(['data: 1\n\n']);
    expect(messages).toHaveLength(1);
  });

  it('19: ignores the case of the content type, and rejects a response with the status 500', async () => {
    for (const type of ['Text/Event-Stream', 'text/event-stream;charset=UTF-8']) {
      const { messages } = await readStream([], {
        respond: (response) => response.writeHead(200, { 'content-type': type }).end('data: 1\n\n'),
      });
      expect(messages).toHaveLength(1);
    }
    const otherType = await readStream([], {
      respond: (response) =>
        response.writeHead(200, { 'content-type': 'text/event-streams' }).end('data: 1\n\n'),
    });
    expect(otherType.outcome).toBe('UNEXPECTED_RESPONSE');
    const failed = await readStream([], {
      respond: (response) =>
        response.writeHead(500, { 'content-type': 'text/event-stream' }).end('data: 1\n\n'),
    });
    expect([failed.outcome, failed.messages]).toEqual(['UNEXPECTED_RESPONSE', []]);
  });

  it('20: removes a byte order mark only at the start of the stream', async () => {
    const { messages } = await readStream(['\uFEFFdata: 1\n\n\uFEFFdata: 2\n\ndata:\uFEFF3\n\n']);
    expect(messages.map(({ data }) => data)).toEqual(['1', '\uFEFF3']);
  });

  it('21: rejects redirects, and sends no cookies', async () => {
    const inits: (RequestInit | undefined)[] = [];
    const { client, platform } = await setupClient({
      ports: {
        fetch: (input, init) => {
          inits.push(init);
          return fetch(input, init);
        },
      },
    });
    const { id } = platform.createSession({ user: 'ada' });
    const conversation = client.conversation(id);
    await until(() => conversation.state.connection === 'open');
    expect(inits.length).toBeGreaterThan(2);
    for (const init of inits) {
      expect(init).toMatchObject({
        redirect: 'error',
        credentials: 'omit',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
      });
    }
  });
});
