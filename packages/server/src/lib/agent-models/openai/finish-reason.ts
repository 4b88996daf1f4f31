import type { FinishReason } from '../model.ts';

/**
 * Names of OpenAI, and of the protocols that gateways translate: Anthropic, Gemini, Cohere, Mistral,
 * Bedrock, Ollama and Zhipu. They are compared without case.
 */
const namesByReason: Readonly<Partial<Record<FinishReason, readonly string[]>>> = {
  end: ['stop', 'end', 'end_turn', 'eos', 'eos_token', 'stop_sequence', 'complete', 'completed'],
  tool_calls: ['tool_calls', 'tool_call', 'tool_use', 'function_call'],
  length: [
    'length',
    'max_tokens',
    'max_output_tokens',
    'max_completion_tokens',
    'model_length',
    'model_context_window_exceeded',
  ],
  filtered: [
    'content_filter',
    'content_filtered',
    'content-filter',
    'safety',
    'image_safety',
    'recitation',
    'blocklist',
    'prohibited_content',
    'spii',
    'refusal',
    'sensitive',
    'guardrail_intervened',
  ],
};

const reasons = new Map(
  Object.entries(namesByReason).flatMap(([reason, names]) =>
    names.map((name) => [name, reason as FinishReason] as const),
  ),
);

/** Reads a provider's finish reason. Returns null for an error and for an unknown reason. */
export function toFinishReason(name: string): FinishReason | null {
  return reasons.get(name.toLowerCase()) ?? null;
}
