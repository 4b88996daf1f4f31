import type { ChatCompletion, ChatCompletionRequest, Problem } from '@inlay/protocol';
import * as z from 'zod';
import type { ModelProvider, UpstreamProvider } from '../config/models.ts';
import { parseExact, stringifyExact } from '../exact-json.ts';
import { ApiError, invalidField } from '../problems/api-error.ts';
import { newId } from '../random.ts';
import type { Services } from '../services.ts';
import { forward, readText, UpstreamFailure, type UpstreamResponse } from '../upstreams/forward.ts';
import { findModel } from './catalogue.ts';
import { checkRequest } from './check-request.ts';
import type { Completion } from './completion.ts';
import { estimateInput, outputLimitOf, UsageMeter } from './completion-usage.ts';
import { type AdmittedRequest, admitToModel } from './model-limits.ts';
import { type AttemptError, RouterReport } from './router-report.ts';
import { scriptedUpstream } from './scripted-upstream.ts';
import { selectProviders } from './select-providers.ts';
import { ProviderStreamError, streamCompletion } from './stream-completion.ts';
import { allFailed, attemptErrorOf, readError, rejectionOf } from './upstream-errors.ts';

interface CompletionOptions {
  /** Upstream key of the caller; null for the key of the configuration. */
  readonly callerKey: string | null;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  /** Converts the problem that ends a stream to its last event. */
  readonly streamError: (problem: Problem) => object;
}

/**
 * Performs a chat completion (docs/conformance.md, 4.12, 7.4 and 8.3).
 *
 * @returns The completion, or the events of its stream.
 * @throws ApiError If the request is rejected or all providers fail. Errors inside a stream are sent
 *   as its last event.
 */
export async function completeChat(
  services: Services,
  request: ChatCompletionRequest,
  options: CompletionOptions,
): Promise<ChatCompletion | AsyncGenerator<string>> {
  const { config, clock } = services;
  const { callerKey } = options;
  const model = findModel(config, request.model, 'chat_completions');
  checkRequest(request, model);
  const preferences = request.provider ?? {};
  const providers = selectProviders(model, preferences, callerKey);
  const isByok = callerKey !== null;
  const estimate = estimateInput(request);
  // With a key of the caller, the limits of the caller's account at the provider apply instead
  // (docs/conformance.md, 8.3.3).
  const admitted: AdmittedRequest | null = isByok
    ? null
    : await admitToModel(services, model, {
        inputTokens: estimate,
        outputLimit: outputLimitOf(request),
      });
  const meter = new UsageMeter(estimate);
  const completion: Completion = {
    request,
    services,
    report: new RouterReport(clock, {
      requested: request.model,
      providers,
      isByok,
      params: preferences,
    }),
    meter,
    isByok,
    settle: async () => admitted?.settle(meter.usage),
  };
  try {
    return await tryProviders(completion, providers, options);
  } catch (error) {
    await admitted?.release();
    throw error;
  }
}

async function tryProviders(
  completion: Completion,
  providers: readonly ModelProvider[],
  options: CompletionOptions,
): Promise<ChatCompletion | AsyncGenerator<string>> {
  const { report, request, services } = completion;
  let retryAfter: number | undefined;
  for (const provider of providers) {
    const end = report.begin(provider);
    const fail = (status: number | null, error: AttemptError, reason: string) => {
      end(status, error);
      services.log.warn('model provider failed', {
        model: request.model,
        provider: provider.name,
        status,
        reason: error,
        error: reason,
      });
    };
    let response: UpstreamResponse | undefined;
    try {
      response = await send(provider, completion, options);
      const { status } = response;
      if (status !== 200) {
        const secret = credentialOf(provider, completion, options);
        const error = readError(status, response.headers, await readText(response), secret);
        const rejection = rejectionOf(error, completion.isByok);
        if (rejection) throw rejection;
        fail(status, attemptErrorOf(error), error.message);
        if (error.retryAfter !== undefined) {
          retryAfter = Math.min(error.retryAfter, retryAfter ?? Number.POSITIVE_INFINITY);
        }
        continue;
      }
      if (request.stream) {
        if (!/^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')) {
          response.close();
          fail(status, 'invalid_response', 'the response is not a stream');
          continue;
        }
        const events = streamCompletion(completion, response, options.streamError);
        await events.next();
        end(status, null);
        return events;
      }
      const body = readCompletion(await readText(response));
      if (!body) {
        fail(status, 'invalid_response', 'the response is not a chat completion');
        continue;
      }
      end(status, null);
      completion.meter.addCompletion(body);
      await completion.settle();
      return toChatCompletion(completion, body);
    } catch (error) {
      if (error instanceof ProviderStreamError) {
        fail(response?.status ?? null, 'refused', 'the stream starts with an error');
        continue;
      }
      if (!(error instanceof UpstreamFailure)) throw error;
      // The caller has disconnected, so no other provider is tried.
      if (error.kind === 'aborted') {
        await completion.settle();
        throw new ApiError('REQUEST_TIMEOUT', 'The caller disconnected before the response.');
      }
      const reason = error.kind === 'too_large' ? 'invalid_response' : error.kind;
      fail(response?.status ?? null, reason, error.message);
    }
  }
  throw allFailed(
    report.attempts.map(({ error }) => error),
    retryAfter,
  );
}

function credentialOf(
  provider: ModelProvider,
  { services, isByok }: Completion,
  { callerKey }: CompletionOptions,
): string {
  if (isByok) return callerKey ?? '';
  const name = provider.provider === 'openai-compatible' ? provider.api_key_env : undefined;
  return (name && services.secret(name)) || '';
}

function send(
  provider: ModelProvider,
  completion: Completion,
  options: CompletionOptions,
): Promise<UpstreamResponse> {
  const { request, services } = completion;
  if (provider.provider === 'scripted') {
    return scriptedUpstream(provider, request, services, options.signal);
  }
  const key = credentialOf(provider, completion, options);
  return forward(
    {
      url: `${provider.base_url.replace(/\/+$/, '')}/chat/completions`,
      headers: {
        'content-type': 'application/json',
        accept: request.stream ? 'text/event-stream' : 'application/json',
        ...(key !== '' && { authorization: `Bearer ${key}` }),
      },
      body: stringifyExact(upstreamBody(request, provider)),
    },
    {
      clock: services.clock,
      signal: options.signal,
      firstByteTimeout: provider.first_event_timeout_ms,
      idleTimeout: provider.idle_timeout_ms,
      maximumBytes: services.config.limits.request.model_response_bytes,
    },
  );
}

/**
 * Returns the caller's body with the provider's name of the model, and without the routing
 * preferences.
 */
function upstreamBody(
  { provider: _, ...request }: ChatCompletionRequest,
  { model }: UpstreamProvider,
): object {
  // The server counts the tokens, even if the caller does not request the usage.
  const usage = request.stream && {
    stream_options: { ...request.stream_options, include_usage: true },
  };
  return { ...request, ...usage, model };
}

const UpstreamCompletion = z.looseObject({
  choices: z.array(z.looseObject({ message: z.looseObject({}) })),
  id: z.string().optional().catch(undefined),
  created: z.int().optional().catch(undefined),
  model: z.string().optional().catch(undefined),
});
type UpstreamCompletion = z.output<typeof UpstreamCompletion>;

/** Parses the response of a provider. Returns null if it is not a completion. */
function readCompletion(text: string): UpstreamCompletion | null {
  try {
    return UpstreamCompletion.parse(parseExact(text));
  } catch {
    return null;
  }
}

/** Adds the required members that the provider did not send (docs/conformance.md, 4.12). */
function toChatCompletion(
  { services, request, meter, report, isByok }: Completion,
  body: UpstreamCompletion,
): ChatCompletion {
  const { clock, random, config } = services;
  return {
    service_tier: null,
    system_fingerprint: null,
    ...body,
    id: body.id ?? newId(random, 'chatcmpl-'),
    object: 'chat.completion',
    created: body.created ?? Math.floor(clock.now() / 1000),
    model: body.model ?? request.model,
    choices: body.choices.map((choice, index) => ({
      logprobs: null,
      finish_reason: null,
      index,
      ...choice,
      message: { role: 'assistant', ...choice.message },
    })) as ChatCompletion['choices'],
    usage: meter.toWire(config.prices[request.model], isByok),
    router_metadata: report.toMetadata(),
  } as ChatCompletion;
}

/**
 * Reads the caller's upstream key. Returns null without the header.
 *
 * @throws ApiError `VALIDATION_ERROR` if it cannot be a credential.
 */
export function readCallerKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (/^[\x21-\x7e]{1,512}$/.test(header)) return header;
  throw invalidField('/headers/x-upstream-api-key', 'must be a key of up to 512 ASCII characters');
}
