import {
  ChatCompletion,
  ChatCompletionChunk,
  type ChatCompletionRequest,
  ModelPage,
  Problem,
} from '@inlay/protocol';
import * as z from 'zod/mini';
import type { Call, Open } from './call.ts';
import { errorOfProblem } from './platform-error.ts';
import { incompleteStream, readEvents, unexpectedResponse } from './read-events.ts';
import { requireDelay } from './require-delay.ts';

/** Default timeout of a completion. A model may reason for minutes before its first token. */
const defaultTimeoutMs = 120_000;

const prefix = '/model/v1';
const path = ['chat', 'completions'];

export interface CompletionOptions {
  /**
   * Timeout of a whole completion, or of the start of a stream, in milliseconds, from 1 to
   * 2,147,483,647.
   *
   * @default 120_000
   */
  timeoutMs?: number;
  /** Cancels the completion, also at the model's provider. The call rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Your own key at a provider of the model (`X-Upstream-Api-Key`). */
  upstreamApiKey?: string;
}

/** Methods for the model service. */
export function modelCalls(call: Call, open: Open) {
  const callOptions = (body: object, { timeoutMs, signal, upstreamApiKey }: CompletionOptions) => ({
    prefix,
    body,
    // A repeated completion costs money, so only requests rejected with 429 or 503 are retried.
    retry: 'rejected' as const,
    longTimeoutMs: requireDelay('timeoutMs', timeoutMs ?? defaultTimeoutMs),
    signal,
    headers: upstreamApiKey === undefined ? {} : { 'x-upstream-api-key': upstreamApiKey },
  });

  return {
    models: {
      /** Lists the models of the platform. */
      list: (): Promise<ModelPage> => call('GET', ['models'], ModelPage, { prefix }),
    },

    chatCompletions: {
      /** Completes a chat. */
      create: async (
        request: ChatCompletionRequest & { stream?: false | null },
        options: CompletionOptions = {},
      ): Promise<ChatCompletion> =>
        call('POST', path, ChatCompletion, callOptions(request, options)),

      /**
       * Completes a chat as a stream. The request is sent when the iteration starts; leaving the
       * loop cancels the request. The last chunk has `usage` and `router_metadata`.
       *
       * @throws PlatformError Also in the middle of the stream: the problem if the model's provider
       *   fails; `NETWORK_ERROR` if the stream ends before the completion is complete.
       */
      async *stream(
        request: ChatCompletionRequest,
        options: CompletionOptions = {},
      ): AsyncGenerator<ChatCompletionChunk, void, undefined> {
        const response = await open('POST', path, {
          ...callOptions(
            {
              ...request,
              stream: true,
              stream_options: { include_usage: true, ...request.stream_options },
            },
            options,
          ),
          streams: true,
        });
        yield* readChunks(response, options.signal);
      },
    },
  };
}

async function* readChunks(
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChatCompletionChunk> {
  const incomplete = 'The stream ended before the completion was complete.';
  for await (const data of readEvents(response, { signal, incomplete })) {
    if (data === '[DONE]') return;
    yield readChunk(response, data);
  }
  throw incompleteStream(response, incomplete);
}

const Failure = z.object({ error: Problem });

function readChunk(response: Response, data: string): ChatCompletionChunk {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    throw unexpectedResponse(response, 'The stream contains an event that is not JSON.');
  }
  const failure = z.safeParse(Failure, value);
  if (failure.success) {
    throw errorOfProblem(failure.data.error, { requestId: response.headers.get('x-request-id') });
  }
  const chunk = z.safeParse(ChatCompletionChunk, value);
  if (chunk.success) return chunk.data;
  throw unexpectedResponse(
    response,
    'The stream contains an event that is not a chunk of a completion.',
  );
}
