import { once } from 'node:events';
import type { ServerOptions } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Problem } from '@inlay/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../testing/listen.ts';
import { setupServer, testApiKey } from '../testing/setup-server.ts';
import { createHttpServer } from './http-server.ts';

/** A response, parsed from the bytes of a socket. */
interface RawResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

async function setup(options: ServerOptions = {}) {
  const server = await setupServer();
  const http = await listen(server.app, options);
  const port = Number(new URL(http.url).port);
  return {
    ...server,
    /** Returns the number of open connections of the server. */
    connections: http.connections,
    /** Writes bytes, and reads to the end of the response. Never closes its side of the connection. */
    async sendAndStayOpen(bytes: string): Promise<void> {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      onTestFinished(() => void socket.destroy());
      await once(socket, 'connect');
      socket.write(bytes);
      socket.resume();
      await once(socket, 'end');
    },
    /** Writes bytes, and resets the connection. */
    async sendAndReset(bytes: string): Promise<void> {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.on('error', () => {});
      await new Promise((resolve) => socket.write(bytes, resolve));
      socket.resetAndDestroy();
    },
    /** Writes bytes, valid HTTP or not, and reads until the server closes the connection. */
    async send(...pieces: (string | Buffer)[]): Promise<RawResponse> {
      const socket = connect(port, '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      await once(socket, 'connect');
      const chunks: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
      // The server may close the connection after its response, while the rest is still being sent.
      socket.on('error', () => {});
      for (const piece of pieces) socket.write(piece);
      await once(socket, 'close');
      return parse(Buffer.concat(chunks).toString());
    },
  };
}

function parse(text: string): RawResponse {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: text.slice(end + 4),
  };
}

const close = 'connection: close\r\n';
const key = `authorization: Bearer ${testApiKey}\r\n`;
const json = 'content-type: application/json\r\n';
const connectRequest = 'CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n';
const issue = '/agent/v1/embed_tokens';

function expectProblem(response: RawResponse, expectedStatus: number, code: string) {
  const { status, headers, body } = response;
  expect([status, headers['x-service-problem-code']]).toEqual([expectedStatus, code]);
  expect(headers).toMatchObject({
    'content-type': 'application/problem+json',
    'x-request-id': expect.stringMatching(/^req_/),
    'x-service-problem-kind': expect.stringMatching(/^\w+$/),
    'x-service-problem-origin': expect.stringMatching(/^\w+$/),
    'x-service-problem-retryable': expect.stringMatching(/^(true|false)$/),
    'x-service-recovery-action': expect.stringMatching(/^\w+$/),
  });
  const problem = Problem.parse(JSON.parse(body));
  expect(problem).toMatchObject({ status: expectedStatus, code });
  expect(problem.type).toMatch(/^https:\/\/chat\.example\.test\/problems\/[a-z-]+$/);
}

describe('7.1 to 7.3: requests that never reach the router', () => {
  it.each([
    ['not HTTP', ['hello\r\n\r\n'], 400, 'VALIDATION_ERROR'],
    ['an unknown method', ['BREW /pot HTTP/1.1\r\nhost: x\r\n\r\n'], 400, 'VALIDATION_ERROR'],
    ['no Host', [`GET /meta/v1/health HTTP/1.1\r\n${close}\r\n`], 400, 'VALIDATION_ERROR'],
    ['an invalid Host', [`GET / HTTP/1.1\r\nhost: a b\r\n${close}\r\n`], 400, 'VALIDATION_ERROR'],
    [
      'two Host headers',
      [`GET /meta/v1/health HTTP/1.1\r\nhost: x\r\nHost: y\r\n${close}\r\n`],
      400,
      'VALIDATION_ERROR',
    ],
    [
      'a URL with another scheme',
      [`GET ftp://x/ HTTP/1.1\r\nhost: x\r\n${close}\r\n`],
      400,
      'VALIDATION_ERROR',
    ],
    [
      'a backslash in the path',
      [`GET /a\\b HTTP/1.1\r\nhost: x\r\n${close}\r\n`],
      400,
      'VALIDATION_ERROR',
    ],
    [
      'two Content-Length headers',
      ['POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
      400,
      'VALIDATION_ERROR',
    ],
    [
      'Content-Length and Transfer-Encoding',
      ['POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n'],
      400,
      'VALIDATION_ERROR',
    ],
    [
      'headers of 20 KiB',
      [`GET / HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(20_480)}\r\n\r\n`],
      431,
      'HEADERS_TOO_LARGE',
    ],
    [
      'a URL of 20 KiB',
      [`GET /?${'a'.repeat(20_480)} HTTP/1.1\r\nhost: x\r\n\r\n`],
      431,
      'HEADERS_TOO_LARGE',
    ],
    [
      'TRACE',
      [`TRACE /meta/v1/health HTTP/1.1\r\nhost: x\r\n${close}\r\n`],
      405,
      'METHOD_NOT_ALLOWED',
    ],
    ['CONNECT', [connectRequest], 405, 'METHOD_NOT_ALLOWED'],
    [
      'a chunk with an invalid length',
      [
        `POST ${issue} HTTP/1.1\r\nhost: x\r\n${key}${json}transfer-encoding: chunked\r\n\r\nzz\r\n`,
      ],
      400,
      'VALIDATION_ERROR',
    ],
    [
      'chunk extensions of 20 KiB',
      [
        `POST ${issue} HTTP/1.1\r\nhost: x\r\n${key}${json}transfer-encoding: chunked\r\n\r\n2;${'a'.repeat(20_480)}\r\n`,
      ],
      413,
      'PAYLOAD_TOO_LARGE',
    ],
  ] as [string, string[], number, string][])(
    'get a problem as their response: %s',
    async (_, pieces, status, code) => {
      const { send } = await setup();

      expectProblem(await send(...pieces), status, code);
    },
  );

  // An error of a socket without a listener would end the process.
  it.each([connectRequest, 'hello\r\n\r\n'])(
    'do not affect other requests if the client resets the connection: %j',
    async (bytes) => {
      const { send, sendAndReset } = await setup();

      await Promise.all(Array.from({ length: 20 }, () => sendAndReset(bytes)));

      const request = `GET /meta/v1/health HTTP/1.1\r\nhost: x\r\n${close}\r\n`;
      expect((await send(request)).status).toBe(200);
    },
  );

  it('leave no connection open after a CONNECT, even if the client never closes its side', async () => {
    const { sendAndStayOpen, connections } = await setup();

    await sendAndStayOpen(connectRequest);

    await expect.poll(connections).toBe(0);
  });

  it('leave no connection open after a CONNECT that cannot be answered in time', async () => {
    const server = createHttpServer(new Promise(() => {}), { connectTimeout: 20 });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());

    socket.write(connectRequest);

    await once(socket, 'close');
    expect(socket.bytesRead).toBe(0);
  });

  it('get a 408 if their headers do not arrive in time', async () => {
    const { send } = await setup({ headersTimeout: 20, connectionsCheckingInterval: 10 });

    const response = await send('GET / HTTP/1.1\r\nhost: x\r\n');

    expectProblem(response, 408, 'REQUEST_TIMEOUT');
    expect(JSON.parse(response.body)).toMatchObject({ retryable: true });
  });

  it('are logged with the request id of the response', async () => {
    const { send, logLines } = await setup();

    const { headers, body } = await send('hello\r\n\r\n');

    const lines = logLines.map((line) => JSON.parse(line));
    expect(lines.filter(({ message }) => message === 'request')).toMatchObject([
      {
        request: headers['x-request-id'],
        status: 400,
        code: 'VALIDATION_ERROR',
        instance: JSON.parse(body).instance,
      },
    ]);
  });
});

it('a request with an unknown Expect header reaches the router', async () => {
  const { send } = await setup();

  const request = `GET /meta/v1/health HTTP/1.1\r\nhost: x\r\nexpect: cookies\r\n${close}\r\n`;

  expect((await send(request)).status).toBe(200);
});

describe('7.1: an invalid body over a real connection', () => {
  const post = (fields: string, body: string | Buffer = '') =>
    [`POST ${issue} HTTP/1.1\r\nhost: x\r\n${key}${close}${fields}\r\n`, body] as const;

  it.each([
    [
      'has a Content-Length above the limit',
      post(`${json}content-length: 9999999\r\n`),
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'is chunked and longer than the limit',
      post(
        `${json}transfer-encoding: chunked\r\n`,
        `200000\r\n${'a'.repeat(0x200000)}\r\n0\r\n\r\n`,
      ),
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    ['is not JSON', post(`${json}content-length: 1\r\n`, '{'), 400, 'VALIDATION_ERROR'],
    [
      'is not UTF-8',
      post(`${json}content-length: 4\r\n`, Buffer.from([0x22, 0xc3, 0x28, 0x22])),
      400,
      'VALIDATION_ERROR',
    ],
    [
      'has another content type',
      post('content-type: text/plain\r\ncontent-length: 2\r\n', '{}'),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['has no content type', post('content-length: 2\r\n', '{}'), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['is missing', post('content-length: 0\r\n'), 400, 'VALIDATION_ERROR'],
  ] as [string, readonly (string | Buffer)[], number, string][])(
    'is rejected if it %s',
    async (_, pieces, status, code) => {
      const { send } = await setup();

      const response = await send(...pieces);

      expectProblem(response, status, code);
      expect(response.headers['x-ratelimit-limit-requests']).toBe('100000');
    },
  );
});

it('7.1: a refused HEAD request gets the headers of a problem, and no body', async () => {
  const { send } = await setup();

  const { status, headers, body } = await send(`HEAD ${issue} HTTP/1.1\r\nhost: x\r\n${close}\r\n`);

  expect([status, body]).toEqual([401, '']);
  expect(headers['x-service-problem-code']).toBe('AUTHENTICATION_ERROR');
});
