import { setImmediate } from 'node:timers/promises';
import OpenAI from 'openai';
import type { Clock } from '../../clock.ts';
import type { Limits } from '../../config/limits.ts';
import { AnswerMeter } from '../answer-meter.ts';
import { estimateUsage } from '../estimate-usage.ts';
import {
  type FinishReason,
  type Model,
  ModelError,
  type ModelEvent,
  type ModelRequest,
  type ModelUsage,
} from '../model.ts';
import { AssistantMessage } from './assistant-message.ts';
import { type Dialect, dialectAfter, dialectOf, rememberDialect } from './dialect.ts';
import { endpointOptions } from './endpoint.ts';
import { toFinishReason } from './finish-reason.ts';
import { type ReadChunk, type ReportedUsage, readChunk } from './read-chunk.ts';
import { StreamEnd } from './stream-end.ts';
import { type SplitText, ThinkTags } from './think-tags.ts';
import { toChatRequest } from './to-chat-request.ts';
import { toModelError } from './to-model-error.ts';
import { ToolCallAssembler } from './tool-call-assembler.ts';
import { Watchdog } from './watchdog.ts';

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

/** Creates a model that uses an endpoint with OpenAI's streaming chat completions. */
export function createOpenAiCompatible(options: OpenAiCompatibleOptions): Model {
  const client = new OpenAI({
    ...endpointOptions(options.baseUrl, options.apiKey),
    // Only the run engine retries: retries on two layers would multiply, and their cost would not
    // be counted.
    maxRetries: 0,
    timeout: options.firstEventTimeout,
    // The library would log provider responses, which may quote the conversation.
    logLevel: 'off',
  });

  return {
    async *run(request, signal) {
      const watchdog = new Watchdog(options.clock, signal);
      const end = new StreamEnd();
      try {
        watchdog.arm(options.firstEventTimeout, 'the model did not start to respond in time');
        const { completions } = client.withOptions({ fetch: end.fetch }).chat;
        const chunks = await inKnownDialect(options, request, (dialect) =>
          completions.create(toChatRequest(request, options, dialect), {
            signal: watchdog.signal,
          }),
        );
        const onProgress = () =>
          watchdog.arm(options.idleTimeout, 'the model stopped during its response', 'stalled');
        yield* new AnswerReader(request, options.limits, onProgress).read(chunks, end);
      } catch (error) {
        if (signal.aborted) return;
        throw watchdog.reason ?? toModelError(error, options.apiKey);
      } finally {
        watchdog.stop();
      }
    },
  };
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

  async *read(chunks: AsyncIterable<unknown>, end: StreamEnd): AsyncGenerator<ModelEvent> {
    try {
      let count = 0;
      for await (const chunk of chunks) {
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
      if (end.isDone && (this.#hasText || this.#calls.text !== '')) this.#finish ??= 'stop';
      // The library reports no error if the connection is closed before the response is complete.
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
