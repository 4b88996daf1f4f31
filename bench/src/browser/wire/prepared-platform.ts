import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EmbedConfig } from '@inlay/protocol';
import { type Served, serve } from '../serve.ts';
import { type PreparedAnswer, prepareAnswer } from './prepared-answer.ts';

/** An answer and its speed. */
export interface Streamed {
  tokens: readonly string[];
  /** Tokens per second; null for as fast as the page reads. */
  pace: number | null;
}

/** The user message of each conversation. */
export const question = 'Tell me all.';

/**
 * Starts a server with the platform's interface and prepared events. Unlike the platform, it sends
 * each token separately, at almost no cost. The embed token of a page is the name of its answer.
 */
export function startPreparedPlatform(answers: Record<string, Streamed>): Promise<Served> {
  const prepared = new Map(
    Object.entries(answers).map(([name, { tokens, pace }]) => [
      name,
      { answer: prepareAnswer(question, tokens), pace },
    ]),
  );
  return serve((request, response) => {
    request.resume();
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*, authorization');
    response.setHeader('access-control-allow-methods', '*');
    const path = (request.url ?? '').split('?')[0];
    const chosen = prepared.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
    if (request.method === 'OPTIONS') response.writeHead(204).end();
    else if (path === '/agent/v1/embed/config') sendJson(response, preparedConfig());
    else if (path === '/agent/v1/sessions' && isStream(request) && chosen) {
      void send(response, chosen.answer, chosen.pace);
    } else response.writeHead(404).end();
  });
}

const isStream = ({ method, headers }: IncomingMessage) =>
  method === 'POST' && headers.accept?.includes('text/event-stream');

/** Writes each token in its own event loop turn, with backpressure. */
async function send(response: ServerResponse, answer: PreparedAnswer, pace: number | null) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  for (const frame of answer.before) response.write(frame);
  const started = performance.now();
  for (const [index, frame] of answer.tokens.entries()) {
    if (response.destroyed) return;
    const due = pace === null ? 0 : started + (index / pace) * 1000 - performance.now();
    if (due > 0) await new Promise((resolve) => setTimeout(resolve, due));
    else await new Promise((resolve) => setImmediate(resolve));
    if (!response.write(frame))
      await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  for (const frame of answer.after) response.write(frame);
}

function sendJson(response: ServerResponse, body: object) {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
}

export function preparedConfig(): EmbedConfig {
  const now = Date.now();
  return {
    type: 'embed_config',
    agent: { id: 'agt_bench', name: 'Bench', version: '1' },
    greeting: null,
    starter_prompts: [],
    features: { attachments: false, feedback: true, threads: false },
    image_origins: [],
    theme: {},
    token: {
      expires_at: new Date(now + 3_600_000).toISOString(),
      external_user_id: 'person',
    },
    server_time: new Date(now).toISOString(),
  };
}
