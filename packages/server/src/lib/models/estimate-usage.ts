import type { ModelConfig } from '../config/model.ts';
import type { ModelRequest, ModelUsage } from './model.ts';

/** English prose has about four characters to a token; an image counts as a typical tile. */
const charactersPerToken = 4;
const tokensPerImage = 800;
/** What providers put around each message at most: who speaks, and where it ends. */
const tokensAroundMessage = 8;

/**
 * Most tokens that an answer may have where the configuration sets no `max_output_tokens`: what the
 * endpoints allow by themselves is not known, and few answers come near this.
 */
const mostOutputTokens = 16_384;

export function estimateTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/** A count for a provider that gives none, so that budgets and caps still hold. */
export function estimateUsage(request: ModelRequest, output: string): ModelUsage {
  const inputTokens = countInput(request, { text: estimateTokens, image: tokensPerImage });
  return { inputTokens, outputTokens: estimateTokens(output), estimated: true };
}

/**
 * Most that a call can use, for what is set aside for it: with less, calls at the same time could
 * overspend together. Tokenizers make at most one token of a byte, and the model stops at
 * `max_output_tokens`.
 */
export function mostUsage(request: ModelRequest, model: ModelConfig): ModelUsage {
  const inputTokens = countInput(request, { text: Buffer.byteLength, image: 2 * tokensPerImage });
  const bound = model.provider === 'scripted' ? undefined : model.max_output_tokens;
  return {
    inputTokens: inputTokens + tokensAroundMessage * (request.messages.length + 1),
    outputTokens: bound ?? mostOutputTokens,
    estimated: true,
  };
}

function countInput(
  request: ModelRequest,
  count: { text: (text: string) => number; image: number },
): number {
  let tokens = count.text(request.system);
  for (const message of request.messages) {
    if (message.role === 'user') {
      for (const part of message.content) {
        tokens += part.type === 'text' ? count.text(part.text) : count.image;
      }
    } else {
      tokens += count.text(message.text);
    }
    if (message.role === 'assistant' && message.toolCalls.length > 0) {
      tokens += count.text(JSON.stringify(message.toolCalls));
    }
  }
  if (request.tools.length > 0) tokens += count.text(JSON.stringify(request.tools));
  return tokens;
}
