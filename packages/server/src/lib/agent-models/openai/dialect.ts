import type { ModelMessage } from '../model.ts';
import { ProviderError } from './provider-error.ts';

/** How a provider deviates from the common request. */
export interface Dialect {
  /** OpenAI's current models reject `max_tokens`; many other endpoints know nothing else. */
  readonly outputLimit: 'max_tokens' | 'max_completion_tokens';
  /** Mistral rejects `stream_options`, and reports the usage without it. */
  readonly streamOptions: boolean;
  /**
   * Whether assistant messages without reasoning, such as those of another model, have an empty one:
   * thinking models of DeepSeek and Kimi reject messages without it.
   */
  readonly emptyReasoning: boolean;
  /** Whether calls of another model have a signature that Gemini accepts instead of its own. */
  readonly placeholderSignature: boolean;
  /** Members of its own messages that the provider rejects, such as those that describe a response. */
  readonly refusedMembers: readonly string[];
}

const commonDialect: Dialect = {
  outputLimit: 'max_tokens',
  streamOptions: true,
  emptyReasoning: false,
  placeholderSignature: false,
  refusedMembers: [],
};

/** Maximum number of models whose dialect is remembered. */
const maximumModels = 1000;

/** The dialects that the providers' refusals have shown, for the life of this process. */
const knownDialects = new Map<string, Dialect>();

/** The dialect of a model as far as it is known. */
export function dialectOf(endpoint: { baseUrl: string; model: string }): Dialect {
  return knownDialects.get(keyOf(endpoint)) ?? commonDialect;
}

export function rememberDialect(
  endpoint: { baseUrl: string; model: string },
  dialect: Dialect,
): void {
  if (knownDialects.size >= maximumModels) knownDialects.clear();
  knownDialects.set(keyOf(endpoint), dialect);
}

/**
 * Returns the dialect that a refusal asks for; null if the error is no such refusal, or if the request
 * followed it already.
 */
export function dialectAfter(
  error: unknown,
  dialect: Dialect,
  messages: readonly ModelMessage[],
): Dialect | null {
  if (!(error instanceof ProviderError) || (error.status !== 400 && error.status !== 422)) {
    return null;
  }
  const text = `${error.message} ${error.code} ${error.param}`.slice(0, 10_000);
  const isUnknown = /unsupported|not supported|forbidden|not permitted|unrecognized|unknown/i;
  const refused = isUnknown.test(text) ? membersIn(text, messages, dialect) : [];
  const isMissing =
    /missing.*reasoning_content|reasoning_content.*(?:missing|must (?!not)|required)/is;
  const next: Dialect = {
    outputLimit: isOutputLimitRefused(text) ? 'max_completion_tokens' : dialect.outputLimit,
    streamOptions: dialect.streamOptions && !text.includes('stream_options'),
    emptyReasoning: dialect.emptyReasoning || isMissing.test(text),
    placeholderSignature: dialect.placeholderSignature || text.includes('thought_signature'),
    refusedMembers: [...dialect.refusedMembers, ...refused],
  };
  return JSON.stringify(next) === JSON.stringify(dialect) ? null : next;
}

/** The members of the provider's messages that its refusal names, and that were sent. */
function membersIn(text: string, messages: readonly ModelMessage[], dialect: Dialect): string[] {
  const words = new Set(text.match(/\w+/g));
  const names = messages.flatMap((message) =>
    message.role === 'assistant' ? Object.keys(message.providerMessage ?? {}) : [],
  );
  return [...new Set(names)].filter(
    (name) =>
      words.has(name) &&
      !['role', 'content', 'tool_calls'].includes(name) &&
      !dialect.refusedMembers.includes(name),
  );
}

/** Whether `max_tokens` is refused, not its value. */
function isOutputLimitRefused(text: string): boolean {
  return (
    text.includes('max_completion_tokens') ||
    (text.includes('max_tokens') && /unsupported|not supported|extra_forbidden/i.test(text))
  );
}

function keyOf({ baseUrl, model }: { baseUrl: string; model: string }): string {
  return `${baseUrl}\n${model}`;
}
