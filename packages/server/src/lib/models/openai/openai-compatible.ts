import OpenAI from 'openai';
import type { Limits } from '../../config/limits.ts';
import type { Clock } from '../../ports/clock.ts';
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
import { type ReadChunk, type ReportedUsage, readChunk } from './read-chunk.ts';
import { StreamEnd } from './stream-end.ts';
import { toChatRequest } from './to-chat-request.ts';
import { toModelError } from './to-model-error.ts';
import { ToolCallAssembler } from './tool-call-assembler.ts';
import { Watchdog } from './watchdog.ts';

export interface OpenAiCompatibleOptions {
  /** Up to and with the version, for example `https://api.example/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Empty for an endpoint that asks for none. */
  readonly apiKey: string;
  /** Most tokens of one answer; the endpoint's own limit by default. */
  readonly maxOutputTokens?: number | undefined;
  /**
   * Milliseconds until the answer must begin with text, thinking or a tool call. Models that think
   * first may need long; many send the role of their answer at once, which does not count.
   */
  readonly firstEventTimeout: number;
  /** Milliseconds that an answer, once begun, may bring nothing new. */
  readonly idleTimeout: number;
  readonly limits: Limits['run'];
  readonly clock: Clock;
}

/** Any endpoint that speaks OpenAI's chat completions, streaming. */
export function createOpenAiCompatible(options: OpenAiCompatibleOptions): Model {
  const client = new OpenAI({
    baseURL: options.baseUrl,
    apiKey: options.apiKey || 'none',
    // Only the run engine retries: two layers would multiply, and spend without being counted.
    maxRetries: 0,
    timeout: options.firstEventTimeout,
    // The library would log what a provider sends, and that may quote the conversation.
    logLevel: 'off',
  });

  return {
    async *run(request, signal) {
      const watchdog = new Watchdog(options.clock, signal);
      const end = new StreamEnd();
      try {
        watchdog.arm(options.firstEventTimeout, 'the model did not begin to answer in time');
        const chunks = await client
          .withOptions({ fetch: end.fetch })
          .chat.completions.create(toChatRequest(request, options), { signal: watchdog.signal });
        const progress = () =>
          watchdog.arm(
            options.idleTimeout,
            'the model stopped in the middle of its answer',
            'stalled',
          );
        yield* new AnswerReader(request, options.limits, progress).read(chunks, end);
      } catch (error) {
        if (signal.aborted) return;
        throw watchdog.reason ?? toModelError(error, options.apiKey);
      } finally {
        watchdog.stop();
      }
    },
  };
}

/** Makes events of the chunks of one answer. */
class AnswerReader {
  readonly #request: ModelRequest;
  readonly #meter: AnswerMeter;
  readonly #progress: () => void;
  readonly #calls = new ToolCallAssembler();
  #output = '';
  #hasText = false;
  #finish: FinishReason | null = null;
  #usage: ReportedUsage = { inputTokens: undefined, outputTokens: undefined };

  /** @param progress Called at each chunk that brings text, thinking or a part of a tool call. */
  constructor(request: ModelRequest, limits: Limits['run'], progress: () => void) {
    this.#request = request;
    this.#meter = new AnswerMeter(limits);
    this.#progress = progress;
  }

  async *read(chunks: AsyncIterable<unknown>, end: StreamEnd): AsyncGenerator<ModelEvent> {
    try {
      for await (const chunk of chunks) yield* this.#readChunk(readChunk(chunk));
      // Some providers never say why they finished; `[DONE]` after an answer says that it is whole.
      if (end.isDone && (this.#hasText || this.#calls.text !== '')) this.#finish ??= 'end';
      // The library ends quietly where the connection ended cleanly too early.
      if (this.#finish === null) {
        throw new ModelError('the answer ended before it was finished', { retryable: true });
      }
    } catch (error) {
      // The output before the failure has a cost as well.
      yield this.#usageEvent();
      throw error;
    }
    const called = [...this.#calls.finish()];
    yield* called;
    yield this.#usageEvent();
    // Some providers finish with `stop` although they called tools.
    yield { type: 'finish', reason: called.length > 0 ? 'tool_calls' : this.#finish };
  }

  *#readChunk(chunk: ReadChunk): Generator<ModelEvent> {
    const thinking = this.#meter.fitting(chunk.thinking);
    const text = this.#meter.fitting(chunk.text);
    const callsBefore = this.#calls.size;
    let hasArguments = false;
    for (const fragment of chunk.calls) {
      this.#meter.addArguments(fragment.arguments);
      this.#calls.add(fragment);
      this.#meter.assertWithin(this.#calls.size);
      hasArguments ||= fragment.arguments !== '';
    }
    this.#output += thinking + text;
    this.#hasText ||= text !== '';
    if (thinking !== '') yield { type: 'thinking', text: thinking };
    if (text !== '') yield { type: 'text', text };
    this.#meter.assertWithin(this.#calls.size);
    yield* chunk.citations;
    if (chunk.finish !== '') this.#finish = finishReason(chunk.finish);
    this.#usage = {
      inputTokens: chunk.usage?.inputTokens ?? this.#usage.inputTokens,
      outputTokens: chunk.usage?.outputTokens ?? this.#usage.outputTokens,
    };
    const hasNews =
      thinking !== '' || text !== '' || hasArguments || this.#calls.size > callsBefore;
    if (hasNews) this.#progress();
  }

  #usageEvent(): ModelEvent {
    const estimate = estimateUsage(this.#request, this.#output + this.#calls.text);
    return { type: 'usage', usage: countUsage(this.#usage, estimate) };
  }
}

/** Takes the estimate for each count that the provider did not give. */
function countUsage(reported: ReportedUsage, estimate: ModelUsage): ModelUsage {
  const { inputTokens, outputTokens } = reported;
  return {
    inputTokens: inputTokens ?? estimate.inputTokens,
    outputTokens: outputTokens ?? estimate.outputTokens,
    estimated: inputTokens === undefined || outputTokens === undefined,
  };
}

function finishReason(reason: string): FinishReason {
  if (reason === 'length') return 'length';
  if (reason === 'content_filter') return 'filtered';
  return 'end';
}
