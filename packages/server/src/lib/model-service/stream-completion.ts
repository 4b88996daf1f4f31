import type { Problem } from '@inlay/protocol';
import { UpstreamFailure, type UpstreamResponse } from '../gateway/forward.ts';
import { relayEvents } from '../gateway/relay-events.ts';
import { describeError } from '../log/logger.ts';
import { ApiError } from '../problems/api-error.ts';
import { serializeProblem } from '../problems/problem-response.ts';
import { newId } from '../random.ts';
import type { Completion } from './completion.ts';
import { fieldsOf } from './upstream-errors.ts';

/** The provider reported an error inside its stream. */
class ProviderStreamError extends Error {
  override readonly name = 'ProviderStreamError';
}

/**
 * Streams a completion as it arrives. Chunks are passed on as the provider sends them; with
 * `stream_options.include_usage`, a last chunk has `usage` and `router_metadata`. If the provider
 * fails, the last event has an `error` instead: the status was sent already.
 *
 * The first value is empty: reading it starts the generator, so that it cleans up in any case.
 */
export async function* streamCompletion(
  completion: Completion,
  response: UpstreamResponse,
  streamError: (problem: Problem) => object,
): AsyncGenerator<string, void, undefined> {
  const { request, services } = completion;
  const wantsUsage = request.stream_options?.include_usage === true;
  const state = { id: '', created: 0, model: request.model, isDone: false, hasFinish: false };

  const relay = (data: string): string | null => {
    if (data.trim() === '[DONE]') {
      state.isDone = true;
      return null;
    }
    const chunk = fieldsOf(parse(data));
    if (chunk.error !== undefined && chunk.error !== null) throw new ProviderStreamError();
    const { finish, usage } = completion.meter.addChunk(chunk);
    state.hasFinish ||= finish !== '';
    if (typeof chunk.id === 'string') state.id = chunk.id;
    if (typeof chunk.model === 'string') state.model = chunk.model;
    if (Number.isSafeInteger(chunk.created)) state.created = Number(chunk.created);
    if (!usage) return data;
    const hasChoices = Array.isArray(chunk.choices) && chunk.choices.length > 0;
    if (!hasChoices) return null;
    const { usage: _, ...rest } = chunk;
    return JSON.stringify(rest);
  };

  try {
    yield '';
    for await (const events of relayEvents(response.chunks, relay)) {
      if (events !== '') yield events;
      if (state.isDone) break;
    }
    if (!state.isDone && !state.hasFinish) {
      throw new UpstreamFailure('network', 'the stream ended before it was complete');
    }
    if (wantsUsage) yield event(lastChunk(completion, state));
    yield event('[DONE]');
  } catch (error) {
    if (error instanceof UpstreamFailure && error.kind === 'aborted') return;
    services.log.warn('model provider failed', {
      model: request.model,
      provider: completion.report.attempts.at(-1)?.provider,
      ...describeError(error),
    });
    const isTimeout = error instanceof UpstreamFailure && error.kind === 'timeout';
    const code = isTimeout ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_ERROR';
    yield event(streamError(serializeProblem(new ApiError(code), services).problem));
  } finally {
    response.close();
    await completion.settle();
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

function event(data: object | string): string {
  return `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
