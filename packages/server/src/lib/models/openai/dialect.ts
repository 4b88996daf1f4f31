import OpenAI from 'openai';

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
}

const commonDialect: Dialect = {
  outputLimit: 'max_tokens',
  streamOptions: true,
  emptyReasoning: false,
  placeholderSignature: false,
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
export function dialectAfter(error: unknown, dialect: Dialect): Dialect | null {
  if (!(error instanceof OpenAI.APIError) || (error.status !== 400 && error.status !== 422)) {
    return null;
  }
  const text = `${error.message} ${error.code ?? ''} ${error.param ?? ''}`.slice(0, 10_000);
  const changes: Partial<Dialect> = {
    ...(isOutputLimitRefused(text) && { outputLimit: 'max_completion_tokens' }),
    ...(text.includes('stream_options') && { streamOptions: false }),
    ...(/missing.*reasoning_content|reasoning_content.*(?:missing|must|required)/is.test(text) && {
      emptyReasoning: true,
    }),
    ...(text.includes('thought_signature') && { placeholderSignature: true }),
  };
  const next = { ...dialect, ...changes };
  const isNew = (Object.keys(next) as (keyof Dialect)[]).some((key) => next[key] !== dialect[key]);
  return isNew ? next : null;
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
