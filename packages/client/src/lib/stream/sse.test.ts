import { describe, expect, it } from 'vitest';
import { readStream } from '../testing/stream-setup.ts';

describe('sseTransport', () => {
  it('S04: has the same result for one chunk and for single bytes', async () => {
    const bytes = new TextEncoder().encode(
      '\uFEFFdata: {"a":"🦊é"}\r\nid: 1\r\n\r\n: beat\n\nid: 2\rdata: {"b":"日本"}\r\revent: x\ndata: 3\n\n',
    );
    const whole = await readStream([bytes]);
    const split = await readStream(Array.from(bytes, (byte) => new Uint8Array([byte])));

    expect(whole.messages).toEqual([
      { id: '1', event: 'message', data: '{"a":"🦊é"}' },
      { id: '2', event: 'message', data: '{"b":"日本"}' },
      { id: '2', event: 'x', data: '3' },
    ]);
    expect(split.messages).toEqual(whole.messages);
  });

  it('resolves when the server closes, after one request', async () => {
    const { outcome, requests } = await readStream(['data: 1\n\n']);
    expect([outcome, requests()]).toEqual(['closed', 1]);
  });

  it('accepts many events that together exceed the limit of one', async () => {
    const chunks = Array(70).fill(`data: ${'x'.repeat(30_000)}\n\n`);
    const { outcome, messages } = await readStream(chunks);
    expect([outcome, messages.length]).toEqual(['closed', 70]);
  });

  it('S11: rejects responses that are no stream', async () => {
    const none = await readStream([], { answer: (response) => response.writeHead(204).end() });
    expect(none.outcome).toBe('NO_STREAM');
    const page = await readStream([], {
      answer: (response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('data: 1\n\n'),
    });
    expect([page.outcome, page.messages]).toEqual(['UNEXPECTED_RESPONSE', []]);
    const moved = await readStream([], {
      answer: (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    });
    expect(moved.outcome).toBe('NETWORK_ERROR');
  });

  it('distinguishes a cut from a close', async () => {
    const cut = await readStream([], {
      answer: (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
        setImmediate(() => response.destroy());
      },
    });
    expect(cut.outcome).toBe('NETWORK_ERROR');
  });

  it('S17: sends no request for an aborted signal', async () => {
    const { requests } = await readStream(['data: 1\n\n'], { signal: AbortSignal.abort() });
    expect(requests()).toBe(0);
  });

  it('S16, S19: resolves when aborted, and calls no callback afterwards', async () => {
    const controller = new AbortController();
    const { outcome, messages } = await readStream([], {
      signal: controller.signal,
      onMessage: () => controller.abort(),
      answer: (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: 1\n\ndata: 2\n\n');
      },
    });
    expect([outcome, messages.length]).toEqual(['closed', 1]);
  });
});
