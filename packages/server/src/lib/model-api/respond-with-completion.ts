import type { ChatCompletionRequest, Problem } from '@inlay/protocol';
import type { Context } from 'hono';
import { stringifyExact } from '../exact-json.ts';
import type { AppEnv } from '../http/env.ts';
import { encode, streamBody } from '../http/stream-body.ts';
import type { Services } from '../services.ts';
import { completeChat, readCallerKey } from './chat-completions.ts';

/**
 * Responds with a chat completion of a model of the catalogue, or with its stream.
 *
 * @param streamError Converts the problem that ends a stream to its last event. By default, `error` has
 *   the problem, and the `message` that OpenAI clients show.
 * @throws ApiError If the request is rejected or all providers fail.
 */
export async function respondWithCompletion(
  c: Context<AppEnv>,
  services: Services,
  body: ChatCompletionRequest,
  streamError: (problem: Problem) => object = (problem) => ({
    error: { ...problem, message: problem.detail },
  }),
): Promise<Response> {
  const callerKey = readCallerKey(c.req.header('x-upstream-api-key'));
  const { signal } = c.req.raw;
  const completion = await completeChat(services, body, { callerKey, signal, streamError });
  if (!(Symbol.asyncIterator in completion)) {
    return c.body(stringifyExact(completion), 200, { 'content-type': 'application/json' });
  }
  return streamBody(c, services.log, {
    chunks: encode(completion),
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      // Disables response buffering in nginx.
      'x-accel-buffering': 'no',
    },
  });
}
