import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { createPlatformClient } from '../platform-client.ts';
import type { PlatformError } from '../platform-error.ts';

/** A request as the server received it. */
export interface ReceivedRequest {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
  /** Resolves when the connection closes. */
  closed: Promise<unknown>;
}

/** Responds to a request. */
export type Responder = (response: ServerResponse) => void;

/**
 * Starts an HTTP server for the current test, and records its requests. The n-th request is handled
 * by the n-th responder, further requests by the last one.
 */
export async function startStubPlatform(...responders: Responder[]) {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const closed = once(response, 'close');
    requests.push({ method, url, headers, body: await text(request), closed });
    responders[Math.min(requests.length, responders.length) - 1]?.(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

export interface StubResponse {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** Creates a client, and a server that sends the given responses in order. */
export async function createStubbedClient(
  responses: readonly StubResponse[],
  options: { maxRetries?: number } = {},
) {
  const { baseUrl, requests } = await startStubPlatform(
    ...responses.map(({ status, body, headers }) => json(body, status, headers)),
  );
  const platform = createPlatformClient({ baseUrl, apiKey: 'sk-service-test', ...options });
  return { platform, requests, baseUrl };
}

/** Responds with JSON. */
export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Responder =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

/** Responds with JSON, and closes the connection before the end of the body. */
export const truncatedJson =
  (body: object): Responder =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(JSON.stringify(body).slice(0, -5), () => response.destroy());
  };

/** A problem body (RFC 9457). */
export const problem = (code: string, status: number, retryable: boolean) => ({
  type: 'https://chat.example/problems/x',
  title: 'No',
  status,
  detail: `Because ${code}.`,
  instance: 'prb_1',
  code,
  retryable,
});

/** Resolves with the error of a call that rejects. */
export const rejectionOf = (promise: Promise<unknown>): Promise<PlatformError> =>
  promise.then(
    () => {
      throw new Error('The call did not reject.');
    },
    (error: unknown) => error as PlatformError,
  );
