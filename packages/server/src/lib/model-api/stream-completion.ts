import type { Problem } from '@inlay/protocol';
import { parseExact, stringifyExact } from '../exact-json.ts';
import { fieldsOf, parseJson } from '../json.ts';
import { describeError } from '../log/logger.ts';
import { ApiError } from '../problems/api-error.ts';
import { serializeProblem } from '../problems/problem-response.ts';
import { newId } from '../random.ts';
import { UpstreamFailure, type UpstreamResponse } from '../upstreams/forward.ts';
import { relayEvents } from '../upstreams/relay-events.ts';
import type { Completion } from './completion.ts';

/** An error that the provider reports inside its stream. */
export class ProviderStreamError extends Error {
  override readonly name = 'ProviderStreamError';
}

/**
 * Relays the chunks of a streamed completion as the provider sends them. With
 * `stream_options.include_usage`, a last chunk has `usage` and `router_metadata`. If the provider
 * fails, the last event has an `error`, because the response has started with status 200.
 *
 * The first value is an empty string, as soon as the answer starts. The caller must read it before it
 * responds: the `finally` block of a generator only runs if the generator has started.
 *
 * @throws {UpstreamFailure | ProviderStreamError} Instead of the first value, if the provider fails before
 *   the answer starts. Nothing is counted then, and another provider can be tried.
 */
export async function* streamCompletion(
  completion: Completion,
  response: UpstreamResponse,
  streamError: (problem: Problem) => object,
): AsyncGenerator<string, void, undefined> {
  const { request, services } = completion;
  const wantsUsage = request.stream_options?.include_usage === true;
  const received = {
    id: '',
    created: 0,
    model: request.model,
    isDone: false,
    hasFinish: false,
    hasError: false,
  };

  const relay = (data: string): string | null => {
    if (data.trim() === '[DONE]') {
      received.isDone = true;
      return null;
    }
    const chunk = fieldsOf(parseJson(data, parseExact));
    received.hasError ||= chunk.error !== undefined && chunk.error !== null;
    if (received.hasError) return null;
    const { finish, usage } = completion.meter.addChunk(chunk);
    received.hasFinish ||= finish !== '';
    if (typeof chunk.id === 'string') received.id = chunk.id;
    if (typeof chunk.model === 'string') received.model = chunk.model;
    if (Number.isSafeInteger(chunk.created)) received.created = Number(chunk.created);
    if (!usage) return data;
    const hasChoices = Array.isArray(chunk.choices) && chunk.choices.length > 0;
    if (!hasChoices) return null;
    const { usage: _, ...rest } = chunk;
    return stringifyExact(rest);
  };

  /** Whether anything of the answer has arrived. */
  let hasStarted = false;
  let isUnused = false;
  try {
    for await (const events of relayEvents(response.chunks, relay)) {
      // Comments and blank lines keep the connection open, and are no answer.
      if (!hasStarted && (received.isDone || /^data:/m.test(events))) {
        hasStarted = true;
        yield '';
      }
      if (hasStarted && events !== '') yield events;
      if (received.hasError) throw new ProviderStreamError();
      if (received.isDone) break;
    }
    if (!received.isDone && !received.hasFinish) {
      throw new UpstreamFailure('network', 'the stream ended before it was complete');
    }
    if (wantsUsage) yield toEvent(lastChunk(completion, received));
    yield toEvent('[DONE]');
  } catch (error) {
    if (!hasStarted) {
      isUnused = true;
      throw error;
    }
    if (error instanceof UpstreamFailure && error.kind === 'aborted') return;
    services.log.warn('model provider failed', {
      model: request.model,
      provider: completion.report.attempts.at(-1)?.provider,
      ...describeError(error),
    });
    const isTimeout = error instanceof UpstreamFailure && error.kind === 'timeout';
    const code = isTimeout ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_ERROR';
    yield toEvent(streamError(serializeProblem(new ApiError(code), services).problem));
  } finally {
    response.close();
    if (!isUnused) await completion.settle();
  }
}

function lastChunk(
  { meter, report, services, request, isByok }: Completion,
  { id, created, model }: { id: string; created: number; model: string },
): object {
  return {
    id: id || newId(services.random, 'chatcmpl-'),
    object: 'chat.completion.chunk',
    created: created || Math.floor(services.clock.now() / 1000),
    model,
    choices: [],
    usage: meter.toWire(services.config.prices[request.model], isByok),
    router_metadata: report.toMetadata(),
  };
}

function toEvent(data: object | string): string {
  return `data: ${typeof data === 'string' ? data : stringifyExact(data)}\n\n`;
}
