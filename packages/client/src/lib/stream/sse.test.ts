import { describe, expect, it } from 'vitest';
import { until } from '../testing/client-setup.ts';
import { readStream } from '../testing/stream-setup.ts';

describe('sseTransport', () => {
  it('S04: parses a stream of single bytes like a stream of one chunk', async () => {
    const bytes = new TextEncoder().encode(
      '\uFEFFdata: {"a":"🦊é"}\r\nid: 1\r\n\r\n: beat\n\nid: 2\rdata: {"b":"日本"}\r\revent: x\ndata: 3\n\n',
    );
    const oneChunk = await readStream([bytes]);
    const singleBytes = await readStream(Array.from(bytes, (byte) => new Uint8Array([byte])));

    expect(oneChunk.messages).toEqual([
      { id: '1', event: 'message', data: '{"a":"🦊é"}' },
      { id: '2', event: 'message', data: '{"b":"日本"}' },
      { id: '2', event: 'x', data: '3' },
    ]);
    expect(singleBytes.messages).toEqual(oneChunk.messages);
  });

  it('sends one request, and resolves when the server closes the stream', async () => {
    const { outcome, requests } = await readStream(['data: 1\n\n']);
    expect([outcome, requests()]).toEqual(['closed', 1]);
  });

  it('accepts many events whose total size exceeds the limit of one event', async () => {
    const chunks = Array(70).fill(`data: ${'x'.repeat(30_000)}\n\n`);
    const { outcome, messages } = await readStream(chunks);
    expect([outcome, messages.length]).toEqual(['closed', 70]);
  });

  it('S11: rejects responses that are not a stream', async () => {
    const noContent = await readStream([], {
      respond: (response) => response.writeHead(204).end(),
    });
    expect(noContent.outcome).toBe('NO_STREAM');
    const page = await readStream([], {
      respond: (response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('data: 1\n\n'),
    });
    expect([page.outcome, page.messages]).toEqual(['UNEXPECTED_RESPONSE', []]);
    const redirected = await readStream([], {
      respond: (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    });
    expect(redirected.outcome).toBe('NETWORK_ERROR');
  });

  it('rejects when the connection breaks', async () => {
    const broken = await readStream([], {
      respond: (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
        setImmediate(() => response.destroy());
      },
    });
    expect(broken.outcome).toBe('NETWORK_ERROR');
    expect(broken.error).toHaveProperty('cause', expect.any(TypeError));
  });

  it('rejects with the exception of a callback, and ends the request', async () => {
    const defect = new TypeError('undefined is not a function');
    const failed = await readStream([], {
      onMessage: () => {
        throw defect;
      },
      respond: (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      },
    });
    expect(failed.error).toBe(defect);
    await until(() => failed.disconnects() === 1);
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
      respond: (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: 1\n\ndata: 2\n\n');
      },
    });
    expect([outcome, messages.length]).toEqual(['closed', 1]);
  });
});
