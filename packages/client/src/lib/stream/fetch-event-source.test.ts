import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { isInlayError } from '../errors.ts';
import { fetchEventSourceTransport } from './fetch-event-source.ts';
import type { StreamMessage } from './transport.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** Reads one stream of a real server, which writes these chunks one at a time. */
async function read(
  chunks: (string | Uint8Array)[],
  options: { answer?: (response: ServerResponse) => void; signal?: AbortSignal } = {},
) {
  let requests = 0;
  const server = createServer(async (_request, response) => {
    requests += 1;
    if (options.answer) return options.answer(response);
    response.writeHead(200, { 'content-type': 'Text/Event-Stream; charset=utf-8' });
    for (const chunk of chunks) {
      response.write(chunk);
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const messages: StreamMessage[] = [];
  const retries: number[] = [];
  let outcome = 'closed';
  try {
    await fetchEventSourceTransport.read({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      method: 'GET',
      headers: {},
      fetch,
      signal: options.signal ?? new AbortController().signal,
      onOpen: () => {},
      onBytes: () => {},
      onMessage: (message) => void messages.push(message),
      onRetry: (milliseconds) => void retries.push(milliseconds),
    });
  } catch (error) {
    outcome = isInlayError(error) ? error.code : String(error);
  }
  return { messages, retries, outcome, requests: () => requests };
}

describe('fetchEventSourceTransport', () => {
  it('S04: reads the same from one chunk and from single bytes', async () => {
    const bytes = new TextEncoder().encode(
      '\uFEFFdata: {"a":"🦊é"}\r\nid: 1\r\n\r\n: beat\n\nid: 2\rdata: {"b":"日本"}\r\revent: x\ndata: 3\n\n',
    );
    const whole = await read([bytes]);
    const split = await read(Array.from(bytes, (byte) => new Uint8Array([byte])));

    expect(whole.messages).toEqual([
      { id: '1', data: '{"a":"🦊é"}' },
      { id: '2', data: '{"b":"日本"}' },
      { id: '', data: '3' },
    ]);
    expect(split.messages).toEqual(whole.messages);
  });

  it('S05: passes over comments, empty data and fields without a colon', async () => {
    const { messages } = await read([
      ': hi\n\ndata:\n\ndata\n\nid: 9\n\n: \n\ndata: 1\n\ndata: cut',
    ]);
    expect(messages).toEqual([{ id: '', data: '1' }]);
  });

  it('S05: hands on what the server asks to wait', async () => {
    const { retries } = await read(['retry: 10abc\n\nretry: -1\n\nretry: x\n\nretry: 2000\n\n']);
    expect(retries).toEqual([10, -1, 2000]);
  });

  it('resolves when the server closes, and asks once', async () => {
    const { outcome, requests } = await read(['data: 1\n\n']);
    expect([outcome, requests()]).toEqual(['closed', 1]);
  });

  it('S06: refuses an event of more than a mebibyte', async () => {
    const { outcome, messages } = await read(['data: ', ...Array(70).fill('x'.repeat(16_384))]);
    expect([outcome, messages]).toEqual(['STREAM_OVERFLOW', []]);
  });

  it('bears many events that are together larger than that', async () => {
    const { outcome, messages } = await read(Array(70).fill(`data: ${'x'.repeat(30_000)}\n\n`));
    expect([outcome, messages.length]).toEqual(['closed', 70]);
  });

  it('S11: refuses answers that are no stream', async () => {
    const none = await read([], { answer: (response) => response.writeHead(204).end() });
    expect(none.outcome).toBe('NO_STREAM');
    const page = await read([], {
      answer: (response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('data: 1\n\n'),
    });
    expect([page.outcome, page.messages]).toEqual(['UNEXPECTED_RESPONSE', []]);
    const moved = await read([], {
      answer: (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    });
    expect(moved.outcome).toBe('NETWORK_ERROR');
  });

  it('tells a cut from a close', async () => {
    const cut = await read([], {
      answer: (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
        setImmediate(() => response.destroy());
      },
    });
    expect(cut.outcome).toBe('NETWORK_ERROR');
  });

  it('S17: asks nothing for a signal that is aborted already', async () => {
    const { requests } = await read(['data: 1\n\n'], { signal: AbortSignal.abort() });
    expect(requests()).toBe(0);
  });

  it('S16, S19: ends quietly when aborted, and passes on nothing after it', async () => {
    const controller = new AbortController();
    const reading = read([], {
      signal: controller.signal,
      answer: (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: 1\n\n', () => setImmediate(() => controller.abort()));
      },
    });
    const { outcome } = await reading;
    expect(outcome).toBe('closed');
  });
});
