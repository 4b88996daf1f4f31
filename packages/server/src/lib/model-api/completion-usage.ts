import type { ChatCompletionRequest, CompletionUsage } from '@inlay/protocol';
import { estimateTokens, tokensPerImage } from '../agent-models/estimate-usage.ts';
import type { ModelUsage } from '../agent-models/model.ts';
import { type ReadChunk, readChunk } from '../agent-models/openai/read-chunk.ts';
import type { ModelPrice } from '../config/model.ts';
import { fieldsOf } from '../json.ts';
import { centsPerUnit } from './catalogue.ts';

/** Measures the usage of one completion: reported by the provider, otherwise estimated. */
export class UsageMeter {
  readonly #inputEstimate: number;
  #outputEstimate = 0;
  #reported: NonNullable<ReadChunk['usage']> | null = null;
  #raw: Readonly<Record<string, unknown>> = {};

  /** @param inputEstimate Estimated tokens of the request. */
  constructor(inputEstimate: number) {
    this.#inputEstimate = inputEstimate;
  }

  /** Counts a chunk of a stream. */
  addChunk(chunk: unknown): ReadChunk {
    const read = readChunk(chunk);
    const output = [read.text, read.thinking, ...read.calls.map((call) => call.arguments)];
    this.#outputEstimate += estimateTokens(output.join(''));
    if (read.usage) {
      this.#reported = read.usage;
      this.#raw = fieldsOf(fieldsOf(chunk).usage);
    }
    return read;
  }

  /** Counts a complete response. */
  addCompletion(completion: Readonly<Record<string, unknown>>): void {
    const choices = Array.isArray(completion.choices) ? completion.choices : [];
    for (const choice of choices) {
      this.addChunk({ choices: [{ delta: fieldsOf(choice).message }] });
    }
    this.addChunk({ usage: completion.usage });
  }

  get usage(): ModelUsage {
    const { inputTokens, outputTokens } = this.#reported ?? {};
    return {
      inputTokens: inputTokens ?? this.#inputEstimate,
      outputTokens: outputTokens ?? this.#outputEstimate,
      estimated: inputTokens === undefined || outputTokens === undefined,
    };
  }

  /** Returns the `usage` of the response. Further members of the provider's usage are kept. */
  toWire(price: ModelPrice | undefined, isByok: boolean): CompletionUsage {
    const { inputTokens, outputTokens } = this.usage;
    const input = inputTokens * (price?.input_cents_per_million ?? 0);
    const output = outputTokens * (price?.output_cents_per_million ?? 0);
    // One division rounds once: 0.000003, not 0.0000029999999999999997.
    const inUnits = (cents: number) => cents / (1_000_000 * centsPerUnit);
    // With the caller's upstream key, the provider bills the caller.
    const isPriced = price !== undefined && !isByok;
    return {
      completion_tokens_details: null,
      ...this.#raw,
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
      cost: isPriced ? inUnits(input + output) : null,
      cost_details: isPriced
        ? { prompt_cost: inUnits(input), completion_cost: inUnits(output) }
        : null,
      is_byok: isByok,
    };
  }
}

/** Estimates the tokens of a request. */
export function estimateInput({ messages, tools }: ChatCompletionRequest): number {
  return estimateBody([messages, tools]);
}

/** Returns the maximum tokens of the output of all choices; null if the request names none. */
export function outputLimitOf(request: ChatCompletionRequest): number | null {
  const { max_tokens, max_completion_tokens, n } = request;
  // Providers differ in which of the two they use.
  const limit = Math.max(max_tokens ?? 0, max_completion_tokens ?? 0) * (n ?? 1);
  // Not a number if the body has one that JavaScript cannot represent; see `exactBody`.
  return limit > 0 ? limit : null;
}

/** Estimates the tokens of a JSON value. Each `data:` URL inside it counts as an image. */
export function estimateBody(body: object): number {
  let files = 0;
  const text = JSON.stringify(body, (_, value: unknown) => {
    const isFile = typeof value === 'string' && value.startsWith('data:');
    if (isFile) files += 1;
    return isFile ? '' : value;
  });
  return estimateTokens(text) + files * tokensPerImage;
}
