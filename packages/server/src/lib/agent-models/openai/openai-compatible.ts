import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../clock.ts';
import type { Limits } from '../../config/limits.ts';
import { fieldsOf } from '../../json.ts';
import { forward, readErrorBody, type UpstreamResponse } from '../../upstreams/forward.ts';
import { Watchdog } from '../../upstreams/watchdog.ts';
import { estimateUsage } from '../estimate-usage.ts';
import {
  type FinishReason,
  type Model,
  ModelError,
  type ModelErrorKind,
  type ModelEvent,
  type ModelRequest,
  type ModelUsage,
} from '../model.ts';
import { truncateToBytes } from '../truncate-to-bytes.ts';
import { answerData, endOfAnswer } from './answer-data.ts';
import { AssistantMessage } from './assistant-message.ts';
import { type Dialect, dialectAfter, dialectOf, rememberDialect } from './dialect.ts';
import { toFinishReason } from './finish-reason.ts';
import { ProviderError, toModelError } from './provider-error.ts';
import { type ReadChunk, type ReportedUsage, readChunk } from './read-chunk.ts';
import { type SplitText, ThinkTags } from './think-tags.ts';
import { toChatRequest } from './to-chat-request.ts';
import { ToolCallAssembler } from './tool-call-assembler.ts';

export interface OpenAiCompatibleOptions {
  /** URL of the API including its version, for example `https://api.example/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Empty for an endpoint without authentication. */
  readonly apiKey: string;
  /**
   * Maximum tokens of one response.
   *
   * @default The endpoint's own limit.
   */
  readonly maxOutputTokens?: number | undefined;
  /**
   * Parameter for `maxOutputTokens`.
   *
   * @default `max_tokens`, or `max_completion_tokens` once the endpoint has refused `max_tokens`.
   */
  readonly maxOutputTokensParameter?: Dialect['outputLimit'] | undefined;
  /**
   * Maximum milliseconds until the first text, thinking or tool call. Models that think first may
   * need long. A chunk with only a role does not count, because many models send one immediately.
   */
  readonly firstEventTimeout: number;
  /** Milliseconds without new output after which a response counts as stalled. */
  readonly idleTimeout: number;
  readonly limits: Limits['run'];
  readonly clock: Clock;
}

/** Maximum bytes of one response. The JSON of a response with 250,000 tokens is smaller. */
const maximumBytes = 67_108_864;

/**
 * Creates a model that uses an endpoint with OpenAI's streaming chat completions. It never retries,
 * because only the run engine does: retries on two layers would multiply, and their cost would not be
 * counted.
 */
export function createOpenAiCompatible(options: OpenAiCompatibleOptions): Model {
  return {
    async *run(request, signal) {
      const watchdog = new Watchdog(options.clock, signal);
      const arm = (ms: number, message: string, kind: ModelErrorKind) =>
        watchdog.arm(
          ms,
          () => new ModelError(message, { retryable: true, kind, reason: { kind: 'timeout' } }),
        );
      try {
        arm(options.firstEventTimeout, 'the model did not start to respond in time', 'failed');
        const { chunks } = await inKnownDialect(options, request, (dialect) =>
          send(options, toChatRequest(request, options, dialect), watchdog.signal),
        );
        const onProgress = () =>
          arm(options.idleTimeout, 'the model stopped during its response', 'stalled');
        yield* new AnswerReader(request, options.limits, onProgress).read(answerData(chunks));
      } catch (error) {
        if (signal.aborted) return;
        throw watchdog.reason ?? toModelError(error, options.apiKey);
      } finally {
        watchdog.stop();
      }
    },
  };
}

/** @throws ProviderError If the endpoint responds with an error. */
async function send(
  { baseUrl, apiKey, clock }: OpenAiCompatibleOptions,
  body: object,
  signal: AbortSignal,
): Promise<UpstreamResponse> {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`;
  url.hash = '';
  // Keys of Azure belong into a header of their own.
  const isAzure = url.searchParams.has('api-version');
  const key = isAzure ? { 'api-key': apiKey } : { authorization: `Bearer ${apiKey}` };
  const request = {
    url: url.href,
    headers: {
      // As OpenAI's clients do, also for a stream.
      accept: 'application/json',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      'user-agent': 'inlay-server',
      ...(apiKey !== '' && key),
    },
    body: JSON.stringify(body),
  };
  const response = await forward(request, { clock, signal, maximumBytes });
  const { status } = response;
  if (status < 300) return response;
  throw ProviderError.ofResponse(status, await readErrorBody(response));
}

/**
 * Sends a request in the dialect of the model. If the endpoint refuses a parameter of the dialect, sends
 * it again without that parameter, and remembers this for all further requests. A refused request costs
 * nothing.
 */
async function inKnownDialect<Result>(
  options: OpenAiCompatibleOptions,
  request: ModelRequest,
  send: (dialect: Dialect) => Promise<Result>,
): Promise<Result> {
  const outputLimit = options.maxOutputTokensParameter;
  let dialect = { ...dialectOf(options), ...(outputLimit && { outputLimit }) };
  for (;;) {
    try {
      return await send(dialect);
    } catch (error) {
      const next = dialectAfter(error, dialect, request.messages);
      if (next === null) throw error;
      dialect = next;
      rememberDialect(options, dialect);
    }
  }
}

/** Maximum chunks of a response: twice the tokens of the longest answer. */
const maximumChunks = 131_072;
/** Number of chunks that are read before other requests are handled. */
const chunksPerTurn = 256;

/** Converts the chunks of one response to events. */
class AnswerReader {
  readonly #request: ModelRequest;
  readonly #meter: AnswerMeter;
  readonly #onProgress: () => void;
  readonly #calls = new ToolCallAssembler();
  readonly #message = new AssistantMessage();
  readonly #thinkTags = new ThinkTags();
  #output = '';
  /** Whether the text has more than white space. */
  #hasText = false;
  #finish: string | null = null;
  #usage: ReportedUsage = { inputTokens: undefined, outputTokens: undefined };

  /** @param onProgress Called for each chunk with text, thinking or a part of a tool call. */
  constructor(request: ModelRequest, limits: Limits['run'], onProgress: () => void) {
    this.#request = request;
    this.#meter = new AnswerMeter(limits);
    this.#onProgress = onProgress;
  }

  async *read(data: AsyncIterable<string>): AsyncGenerator<ModelEvent> {
    try {
      let isDone = false;
      let count = 0;
      for await (const text of data) {
        isDone ||= text.startsWith(endOfAnswer);
        if (isDone) continue;
        const chunk: unknown = JSON.parse(text);
        const { error } = fieldsOf(chunk);
        if (error) throw ProviderError.ofChunk(error);
        yield* this.#readChunk(readChunk(chunk));
        count += 1;
        if (count > maximumChunks) {
          const message = `the model's answer has more than ${maximumChunks} parts`;
          throw new ModelError(message, { retryable: false, kind: 'too_long' });
        }
        // One packet can contain thousands of chunks, which would be read before other requests are handled.
        if (count % chunksPerTurn === 0) await setImmediate();
      }
      yield* this.#textEvents(this.#thinkTags.rest());
      // Some providers send no finish reason; `[DONE]` after output means that the response is
      // complete.
      if (isDone && (this.#hasText || this.#calls.text !== '')) this.#finish ??= 'stop';
      if (this.#finish === null) {
        throw new ModelError('the response ended before it was complete', { retryable: true });
      }
      const reason = toFinishReason(this.#finish);
      if (reason === null) {
        throw new ModelError(`the response ended with the finish reason ${this.#finish}`, {
          retryable: true,
        });
      }
      yield* this.#finishEvents(reason);
    } catch (error) {
      // The output before the failure has a cost, too.
      yield* this.#textEvents(this.#thinkTags.rest());
      yield this.#usageEvent();
      throw error;
    }
  }

  *#finishEvents(reason: FinishReason): Generator<ModelEvent> {
    const toolCalls = [...this.#calls.finish()];
    const isToolRound = this.#request.messages.at(-1)?.role === 'tool';
    const message = this.#message.finish(this.#calls.providerCalls, isToolRound);
    yield* toolCalls;
    if (message) yield { type: 'provider_message', message };
    yield this.#usageEvent();
    // Some providers finish with `stop` although they called tools.
    const end = toolCalls.length > 0 ? 'tool_calls' : this.#hasText ? 'end' : 'empty';
    const hasEnded = reason === 'end' || reason === 'tool_calls';
    yield { type: 'finish', reason: hasEnded ? end : reason };
  }

  *#readChunk(chunk: ReadChunk): Generator<ModelEvent> {
    const split = this.#thinkTags.add(chunk.text);
    this.#message.add({ ...chunk, text: split.text });
    const callsBefore = this.#calls.size;
    let hasArguments = false;
    for (const fragment of chunk.calls) {
      this.#meter.addArguments(fragment.arguments);
      this.#calls.add(fragment);
      this.#meter.assertWithinLimits(this.#calls.size);
      hasArguments ||= fragment.arguments !== '';
    }
    yield* this.#textEvents({ thinking: chunk.thinking + split.thinking, text: split.text });
    this.#meter.assertWithinLimits(this.#calls.size);
    yield* chunk.citations;
    if (chunk.finish !== '') this.#finish = chunk.finish;
    this.#usage = {
      inputTokens: chunk.usage?.inputTokens ?? this.#usage.inputTokens,
      outputTokens: chunk.usage?.outputTokens ?? this.#usage.outputTokens,
    };
    const hasOutput =
      chunk.thinking !== '' || chunk.text !== '' || hasArguments || this.#calls.size > callsBefore;
    if (hasOutput) this.#onProgress();
  }

  *#textEvents(part: SplitText): Generator<ModelEvent> {
    const thinking = this.#meter.takeWithinLimit(part.thinking);
    const text = this.#meter.takeWithinLimit(part.text);
    this.#output += thinking + text;
    this.#hasText ||= text.trim() !== '';
    if (thinking !== '') yield { type: 'thinking', text: thinking };
    if (text !== '') yield { type: 'text', text };
  }

  #usageEvent(): ModelEvent {
    const estimate = estimateUsage(this.#request, this.#output + this.#calls.text);
    return { type: 'usage', usage: countUsage(this.#usage, estimate) };
  }
}

/** Uses the estimate for each count that the provider did not report. */
function countUsage(reported: ReportedUsage, estimate: ModelUsage): ModelUsage {
  const { inputTokens, outputTokens } = reported;
  return {
    inputTokens: inputTokens ?? estimate.inputTokens,
    outputTokens: outputTokens ?? estimate.outputTokens,
    estimated: inputTokens === undefined || outputTokens === undefined,
  };
}

/** Enforces the limits of `limits.run` for one model response. */
class AnswerMeter {
  readonly #limits: Limits['run'];
  #bytes = 0;
  #argumentBytes = 0;

  constructor(limits: Limits['run']) {
    this.#limits = limits;
  }

  /** Counts text or thinking. Returns the part that is still within the limit. */
  takeWithinLimit(text: string): string {
    const withinLimit = truncateToBytes(text, this.#limits.answer_bytes - this.#bytes);
    this.#bytes += Buffer.byteLength(text);
    return withinLimit;
  }

  /** Counts a part of the arguments of a call. */
  addArguments(text: string): void {
    this.#argumentBytes += Buffer.byteLength(text);
  }

  /** @throws ModelError Of kind `too_long`, if a limit was exceeded. */
  assertWithinLimits(calls: number): void {
    const { answer_bytes, argument_bytes, tool_calls } = this.#limits;
    if (this.#bytes > answer_bytes) throw tooLong(`text has more than ${answer_bytes} bytes`);
    if (this.#argumentBytes > argument_bytes) {
      throw tooLong(`tool arguments have more than ${argument_bytes} bytes`);
    }
    if (calls > tool_calls) throw tooLong(`answer calls tools more than ${tool_calls} times`);
  }
}

function tooLong(what: string): ModelError {
  return new ModelError(`the model's ${what}`, { retryable: false, kind: 'too_long' });
}
