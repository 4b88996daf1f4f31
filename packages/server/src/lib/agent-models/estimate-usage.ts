import type { ModelConfig } from '../config/model.ts';
import type { ModelRequest, ModelUsage } from './model.ts';

/** English prose has about four characters per token. */
const charactersPerToken = 4;
/** Tokens of an image of medium size. */
export const tokensPerImage = 800;
/** Maximum tokens that providers add to each message for its role and its end. */
const tokensAroundMessage = 8;

/**
 * Assumed maximum of output tokens without `max_output_tokens` in the configuration. The limits of
 * endpoints are unknown, and few responses are this long.
 */
const maximumOutputTokens = 16_384;

/** Estimates the tokens of a text from its length. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/** Estimates the usage for a provider that reports none, so that budgets still work. */
export function estimateUsage(request: ModelRequest, output: string): ModelUsage {
  const inputTokens = countInput(request, { text: estimateTokens, image: tokensPerImage });
  return { inputTokens, outputTokens: estimateTokens(output), estimated: true };
}

/**
 * Returns the maximum usage of a model call, which is reserved before the call. With smaller
 * reservations, concurrent calls could exceed the budget together. Tokenizers produce at most one
 * token per byte, and the model stops at `max_output_tokens`.
 */
export function maximumUsage(request: ModelRequest, model: ModelConfig): ModelUsage {
  const inputTokens = countInput(request, { text: Buffer.byteLength, image: 2 * tokensPerImage });
  const bound = model.provider === 'scripted' ? undefined : model.max_output_tokens;
  return {
    inputTokens: inputTokens + tokensAroundMessage * (request.messages.length + 1),
    outputTokens: bound ?? maximumOutputTokens,
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
    if (message.role === 'assistant') {
      const sent = message.providerMessage ?? message.toolCalls;
      if (message.providerMessage || message.toolCalls.length > 0) {
        tokens += count.text(JSON.stringify(sent));
      }
    }
  }
  if (request.tools.length > 0) tokens += count.text(JSON.stringify(request.tools));
  return tokens;
}
