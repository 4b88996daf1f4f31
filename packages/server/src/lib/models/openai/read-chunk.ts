import { fieldsOf } from '../../json.ts';
import { type Citation, citationsOf } from './read-citations.ts';

/** A part of a tool call in one chunk. */
export interface CallFragment {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** Usage as the provider reports it; undefined for missing or implausible counts. */
export interface ReportedUsage {
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
}

/** The members of a chunk that the server uses. */
export interface ReadChunk {
  readonly thinking: string;
  readonly text: string;
  readonly calls: readonly CallFragment[];
  readonly citations: readonly Citation[];
  /** The finish reason; empty while the response continues. */
  readonly finish: string;
  readonly usage: ReportedUsage | null;
}

/** Maximum plausible token count. No model has such a large context. */
const maximumTokens = 100_000_000;

/** Maximum characters of a name or an id. */
const maximumNameLength = 256;

/**
 * Reads one chunk of a streamed completion. Providers deviate from the standard, so fields of an
 * unexpected type are treated as absent.
 */
export function readChunk(chunk: unknown): ReadChunk {
  const { choices, usage } = fieldsOf(chunk);
  // The list is empty in the chunk with the usage, and absent in the first chunk of some providers.
  const choice = fieldsOf(Array.isArray(choices) ? choices[0] : undefined);
  const delta = fieldsOf(choice.delta);
  const calls = Array.isArray(delta.tool_calls) ? delta.tool_calls : [];
  return {
    // Thinking is not part of the standard; endpoints use one of these two fields.
    thinking: textOf(delta.reasoning_content) || textOf(delta.reasoning),
    text: textOf(delta.content) + textOf(delta.refusal),
    calls: calls.map(readCall),
    citations: citationsOf(delta.annotations),
    finish: textOf(choice.finish_reason),
    usage: usage === undefined || usage === null ? null : readUsage(usage),
  };
}

function readCall(value: unknown): CallFragment {
  const { index, id, function: calledFunction } = fieldsOf(value);
  const { name, arguments: text } = fieldsOf(calledFunction);
  return {
    index: Number.isSafeInteger(index) ? (index as number) : undefined,
    id: textOf(id).slice(0, maximumNameLength),
    name: textOf(name).slice(0, maximumNameLength),
    // Some providers send the arguments as an object instead of JSON text.
    arguments: typeof text === 'object' && text !== null ? JSON.stringify(text) : rawText(text),
  };
}

function readUsage(value: unknown): ReportedUsage {
  const { prompt_tokens, completion_tokens } = fieldsOf(value);
  return { inputTokens: readCount(prompt_tokens), outputTokens: readCount(completion_tokens) };
}

/** Reads a token count; undefined if it is absent or implausible. */
export function readCount(value: unknown): number | undefined {
  const isCount = Number.isSafeInteger(value) && (value as number) >= 0;
  return isCount && (value as number) <= maximumTokens ? (value as number) : undefined;
}

function rawText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * Reads a text, and replaces its control characters: PostgreSQL rejects U+0000, and JSON needs six
 * bytes for each control character.
 */
function textOf(value: unknown): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
  return rawText(value).replace(/[\0-\x08\v\f\x0e-\x1f]/g, '\uFFFD');
}
