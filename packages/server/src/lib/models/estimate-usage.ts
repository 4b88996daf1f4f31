import type { ModelRequest, ModelUsage } from './model.ts';

/** English prose has about four characters to a token; an image counts as a typical tile. */
const charactersPerToken = 4;
const tokensPerImage = 800;

export function estimateTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/** A count for a provider that gives none, so that budgets and caps still hold. */
export function estimateUsage(request: ModelRequest, output: string): ModelUsage {
  let inputTokens = estimateTokens(request.system);
  for (const message of request.messages) {
    if (message.role === 'user') {
      for (const part of message.content) {
        inputTokens += part.type === 'text' ? estimateTokens(part.text) : tokensPerImage;
      }
    } else {
      inputTokens += estimateTokens(message.text);
    }
    if (message.role === 'assistant' && message.toolCalls.length > 0) {
      inputTokens += estimateTokens(JSON.stringify(message.toolCalls));
    }
  }
  if (request.tools.length > 0) inputTokens += estimateTokens(JSON.stringify(request.tools));
  return { inputTokens, outputTokens: estimateTokens(output), estimated: true };
}
