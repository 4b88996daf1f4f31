import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EmbedConfig } from '@inlay/protocol';
import { type LocalServer, serve } from '../serve.ts';
import { type PreparedAnswer, prepareAnswer } from './prepared-answer.ts';

/** Text and speed of an answer. */
export interface AnswerSpec {
  tokens: readonly string[];
  /** Tokens per second; null for as fast as the page reads. */
  tokensPerSecond: number | null;
}

/** The user message of each conversation. */
const userMessage = 'Tell me all.';

/**
 * Starts a server with the HTTP interface of the platform and prepared events. Unlike the platform, it
 * sends each token separately, at almost no cost. A page selects an answer by its embed token, which is
 * the name of the answer.
 */
export function startPreparedPlatform(answers: Record<string, AnswerSpec>): Promise<LocalServer> {
  const prepared = new Map(
    Object.entries(answers).map(([name, { tokens, tokensPerSecond }]) => [
      name,
      { answer: prepareAnswer(userMessage, tokens), tokensPerSecond },
    ]),
  );
  return serve((request, response) => {
    request.resume();
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*, authorization');
    response.setHeader('access-control-allow-methods', '*');
    const path = (request.url ?? '').split('?')[0];
    const selected = prepared.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
    if (request.method === 'OPTIONS') response.writeHead(204).end();
    else if (path === '/agent/v1/embed/config') sendJson(response, preparedConfig());
    else if (path === '/agent/v1/sessions' && isStream(request) && selected) {
      void send(response, selected.answer, selected.tokensPerSecond);
    } else response.writeHead(404).end();
  });
}

const isStream = ({ method, headers }: IncomingMessage) =>
  method === 'POST' && headers.accept?.includes('text/event-stream');

/** Writes each token in a separate task and waits for backpressure. */
async function send(
  response: ServerResponse,
  answer: PreparedAnswer,
  tokensPerSecond: number | null,
) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  for (const frame of answer.before) response.write(frame);
  const started = performance.now();
  for (const [index, frame] of answer.tokens.entries()) {
    if (response.destroyed) return;
    const delay =
      tokensPerSecond === null ? 0 : started + (index / tokensPerSecond) * 1000 - performance.now();
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
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
      external_user_id: 'user',
    },
    server_time: new Date(now).toISOString(),
  };
}
