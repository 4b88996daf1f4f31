import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** A request that an upstream received. */
export interface UpstreamRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Responds to a request at an upstream. */
export type Responder = (response: ServerResponse, request: UpstreamRequest) => void;

/** Responds with JSON. */
export const respondWithJson =
  (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

/** Responds with an error in the format of OpenAI's API. */
export const respondWithError = (status: number, headers?: Record<string, string>) =>
  respondWithJson({ error: { message: 'no' } }, status, headers);

/** Never responds. */
export const neverRespond: Responder = () => {};

/** Starts an HTTP server that replaces a provider. */
export async function startUpstream(respond: Responder) {
  const requests: UpstreamRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url, headers } = request;
    const received = { method, url, headers, body: Buffer.concat(chunks).toString() };
    requests.push(received);
    respond(response, received);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}`, requests };
}
