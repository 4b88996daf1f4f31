import type { Citation } from './citations-of.ts';
import { citationsOf } from './citations-of.ts';

/** A part of a tool call, as one chunk carries it. */
export interface CallFragment {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** What a provider says that a call used; undefined for a count that it did not give or that cannot be. */
export interface ReportedUsage {
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
}

/** The parts of a chunk that this server uses. */
export interface ReadChunk {
  readonly thinking: string;
  readonly text: string;
  readonly calls: readonly CallFragment[];
  readonly citations: readonly Citation[];
  /** Why the provider finished; empty where it has not. */
  readonly finish: string;
  readonly usage: ReportedUsage | null;
}

/** Most tokens that one count may name. No model has a context of this size. */
const mostTokens = 100_000_000;

/** Characters of a name or an id that are kept. */
const longestName = 256;

/**
 * Reads one chunk of a streamed completion. Providers deviate from the standard, so
 * a field of another type counts as absent.
 */
export function readChunk(chunk: unknown): ReadChunk {
  const { choices, usage } = fieldsOf(chunk);
  // The list is empty in the chunk with the usage, and absent in some providers' first one.
  const choice = fieldsOf(Array.isArray(choices) ? choices[0] : undefined);
  const delta = fieldsOf(choice.delta);
  const calls = Array.isArray(delta.tool_calls) ? delta.tool_calls : [];
  return {
    // Thinking has no place in the standard; these are the two fields that endpoints use.
    thinking: textOf(delta.reasoning_content) || textOf(delta.reasoning),
    text: textOf(delta.content) + textOf(delta.refusal),
    calls: calls.map(readCall),
    citations: citationsOf(delta.annotations),
    finish: textOf(choice.finish_reason),
    usage: usage === undefined || usage === null ? null : readUsage(usage),
  };
}

function readCall(value: unknown): CallFragment {
  const { index, id, function: called } = fieldsOf(value);
  const { name, arguments: text } = fieldsOf(called);
  return {
    index: Number.isSafeInteger(index) ? (index as number) : undefined,
    id: textOf(id).slice(0, longestName),
    name: textOf(name).slice(0, longestName),
    // Some providers send the arguments as an object instead of its text.
    arguments: typeof text === 'object' && text !== null ? JSON.stringify(text) : rawText(text),
  };
}

function readUsage(value: unknown): ReportedUsage {
  const { prompt_tokens, completion_tokens } = fieldsOf(value);
  return { inputTokens: readCount(prompt_tokens), outputTokens: readCount(completion_tokens) };
}

function readCount(value: unknown): number | undefined {
  const isCount = Number.isSafeInteger(value) && (value as number) >= 0;
  return isCount && (value as number) <= mostTokens ? (value as number) : undefined;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function rawText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * Control characters mean nothing in an answer, PostgreSQL refuses U+0000 in a text, and JSON writes
 * each of them with six bytes.
 */
function textOf(value: unknown): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return rawText(value).replace(/[\0-\x08\v\f\x0e-\x1f]/g, '\uFFFD');
}
