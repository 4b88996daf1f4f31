import OpenAI from 'openai';
import type { Clock } from '../../ports/clock.ts';
import { estimateUsage } from '../estimate-usage.ts';
import {
  type FinishReason,
  type Model,
  ModelError,
  type ModelEvent,
  type ModelRequest,
  type ModelUsage,
} from '../model.ts';
import { type ReportedUsage, readChunk } from './read-chunk.ts';
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
  /** Milliseconds until the answer must begin. Models that think first may need long. */
  readonly firstEventTimeout: number;
  /** Milliseconds that an answer, once begun, may stand still. */
  readonly idleTimeout: number;
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
        const progress = withProgress(chunks, () =>
          watchdog.arm(options.idleTimeout, 'the model stopped in the middle of its answer'),
        );
        yield* readAnswer(request, progress, end);
      } catch (error) {
        if (signal.aborted) return;
        throw watchdog.reason ?? toModelError(error, options.apiKey);
      } finally {
        watchdog.stop();
      }
    },
  };
}

async function* withProgress<Item>(items: AsyncIterable<Item>, progress: () => void) {
  for await (const item of items) {
    progress();
    yield item;
  }
}

async function* readAnswer(
  request: ModelRequest,
  chunks: AsyncIterable<unknown>,
  end: StreamEnd,
): AsyncGenerator<ModelEvent> {
  const calls = new ToolCallAssembler();
  let output = '';
  let said = '';
  let finish: FinishReason | null = null;
  let usage: ReportedUsage = { inputTokens: undefined, outputTokens: undefined };

  for await (const chunk of chunks) {
    const { thinking, text, ...read } = readChunk(chunk);
    output += thinking + text;
    said ||= text;
    if (thinking !== '') yield { type: 'thinking', text: thinking };
    if (text !== '') yield { type: 'text', text };
    for (const fragment of read.calls) calls.add(fragment);
    yield* read.citations;
    if (read.finish !== '') finish = finishReason(read.finish);
    usage = {
      inputTokens: read.usage?.inputTokens ?? usage.inputTokens,
      outputTokens: read.usage?.outputTokens ?? usage.outputTokens,
    };
  }

  // Some providers never say why they finished; `[DONE]` after an answer says that it is whole.
  if (end.isDone && (said !== '' || calls.text !== '')) finish ??= 'end';
  // The library ends quietly where the connection ended cleanly too early.
  if (finish === null) {
    throw new ModelError('the answer ended before it was finished', { retryable: true });
  }
  const called = [...calls.finish()];
  yield* called;
  yield { type: 'usage', usage: countUsage(usage, estimateUsage(request, output + calls.text)) };
  // Some providers finish with `stop` although they called tools.
  yield { type: 'finish', reason: called.length > 0 ? 'tool_calls' : finish };
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
