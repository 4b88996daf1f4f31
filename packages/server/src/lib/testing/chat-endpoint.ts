import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { onTestFinished } from 'vitest';

/** A request that the endpoint received. */
export interface ModelRequest {
  body: { messages: { role: string; content: unknown }[]; [field: string]: unknown };
  authorization: string | undefined;
  headers: IncomingHttpHeaders;
  /** Resolves when the caller disconnects before the response is complete. */
  disconnected: Promise<void>;
}

export type Handler = (response: ServerResponse, requests: ModelRequest) => void | Promise<void>;

/**
 * Starts an HTTP endpoint that replaces a model provider. Each handler responds to one request; the
 * last handler also responds to all further requests.
 */
export async function chatEndpoint(...handlers: Handler[]) {
  const requests: ModelRequest[] = [];
  const server: Server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/v1`, requests };

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const current: ModelRequest = {
      body: JSON.parse(Buffer.concat(chunks).toString()),
      authorization: request.headers.authorization,
      headers: request.headers,
      disconnected: new Promise((resolve) =>
        response.once('close', () => response.writableFinished || resolve()),
      ),
    };
    requests.push(current);
    const handler = handlers[Math.min(requests.length, handlers.length) - 1];
    await handler?.(response, current);
  }
}

/** Encodes a chunk of a streamed completion. */
export function chunk(delta: object, fields: object = {}): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }], ...fields })}\n\n`;
}

/** Encodes the last chunk of a streamed completion. */
export const finish = (reason = 'stop') =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: reason }] })}\n\n`;

/** Encodes the chunk with the token counts of a streamed completion. */
export const usage = (input: number, output: number) =>
  `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: input, completion_tokens: output } })}\n\n`;

/** The end of the stream. */
export const done = 'data: [DONE]\n\n';

/** Handler that sends these pieces of a stream, each with its own write, and ends the response. */
export const stream =
  (...pieces: (string | Buffer)[]): Handler =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) response.write(piece);
    response.end();
  };

/** Handler that sends these pieces of a stream, and leaves the response open. */
export const streamThenHang =
  (...pieces: string[]): Handler =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) response.write(piece);
  };

/** Handler that responds with an error. */
export const refuse =
  (status: number, error: object = { message: 'no' }): Handler =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error }));
  };
