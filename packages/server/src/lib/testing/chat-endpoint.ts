import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** What an endpoint was asked. */
export interface Asked {
  body: { messages: { role: string; content: unknown }[]; [field: string]: unknown };
  authorization: string | undefined;
  /** Resolves when the caller has hung up before the answer was whole. */
  hungUp: Promise<void>;
}

export type Answer = (response: ServerResponse, asked: Asked) => void | Promise<void>;

/** A real HTTP endpoint in the place of a model provider: each request gets the next answer. */
export async function chatEndpoint(...answers: Answer[]) {
  const asked: Asked[] = [];
  const server: Server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/v1`, asked };

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const current: Asked = {
      body: JSON.parse(Buffer.concat(chunks).toString()),
      authorization: request.headers.authorization,
      hungUp: new Promise((resolve) =>
        response.once('close', () => response.writableFinished || resolve()),
      ),
    };
    asked.push(current);
    const answer = answers[Math.min(asked.length, answers.length) - 1];
    await answer?.(response, current);
  }
}

/** One chunk of a streamed completion. */
export function chunk(delta: object, more: object = {}): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`;
}

export const finish = (reason = 'stop') =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: reason }] })}\n\n`;

export const usage = (input: number, output: number) =>
  `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: input, completion_tokens: output } })}\n\n`;

export const done = 'data: [DONE]\n\n';

/** Answers with these pieces of a stream, each in a write of its own, and then ends. */
export const stream =
  (...pieces: (string | Buffer)[]): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) response.write(piece);
    response.end();
  };

/** The same, but the connection stays open after them. */
export const streamThenHang =
  (...pieces: string[]): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) response.write(piece);
  };

export const refuse =
  (status: number, error: object = { message: 'no' }): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error }));
  };
