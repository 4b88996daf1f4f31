import * as z from 'zod';
import { fieldsOf } from '../../json.ts';
import type { ModelEvent } from '../model.ts';

type Citation = Extract<ModelEvent, { type: 'citation' }>;

/**
 * A citation of OpenAI's search models and of gateways with search. Only the URL is always present.
 */
const UrlCitation = z.object({
  type: z.literal('url_citation'),
  url_citation: z.object({
    url: z.string(),
    title: z.string().nullish(),
    content: z.string().nullish(),
    end_index: z.int().min(0).nullish(),
  }),
});

/** Maximum annotations of a chunk that are read; an answer keeps at most 100 citations. */
const maximumAnnotations = 200;

/** Returns the citations in a chunk's annotations. Other annotations are ignored. */
function citationsOf(annotations: unknown): Citation[] {
  if (!Array.isArray(annotations)) return [];
  return annotations.slice(0, maximumAnnotations).flatMap((annotation): Citation[] => {
    const result = UrlCitation.safeParse(annotation);
    if (!result.success) return [];
    const { url, title, content, end_index } = result.data.url_citation;
    return [
      {
        type: 'citation',
        title: title ?? hostOf(url),
        url,
        snippet: content ?? null,
        endIndex: end_index ?? null,
      },
    ];
  });
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** A part of a tool call in one chunk. */
export interface CallFragment {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** Other members, which the next request returns to the provider. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** Usage as the provider reports it; undefined for missing or implausible counts. */
export interface ReportedUsage {
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
}

/** The members of a chunk that the server uses. */
export interface ReadChunk {
  /** Reasoning outside of `text`. */
  readonly thinking: string;
  readonly text: string;
  /** The content if it is a list of parts. */
  readonly parts: readonly unknown[];
  /** Other members of the message, which the next request returns to the provider. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly calls: readonly CallFragment[];
  readonly citations: readonly Citation[];
  /** The finish reason; empty while the response continues. */
  readonly finish: string;
  readonly usage: ReportedUsage | null;
}

/** Maximum plausible token count. No model has such a large context. */
const maximumTokens = 100_000_000;

/** Maximum characters of a name. */
const maximumNameLength = 256;

/** Maximum characters of an id. Some gateways put the state of the model into it. */
const maximumIdLength = 65_536;

/**
 * Reads one chunk of a streamed completion. Providers deviate from the standard, so fields of an
 * unexpected type are treated as absent.
 */
export function readChunk(chunk: unknown): ReadChunk {
  const { choices, usage } = fieldsOf(chunk);
  // The list is empty in the chunk with the usage, and absent in the first chunk of some providers.
  const choice = fieldsOf(Array.isArray(choices) ? choices[0] : undefined);
  const { role: _, content, refusal, tool_calls, annotations, ...members } = fieldsOf(choice.delta);
  const calls = Array.isArray(tool_calls) ? tool_calls : [];
  const parts = Array.isArray(content) ? content : [];
  return {
    // Thinking is not part of the standard; endpoints use one of these two members, or parts.
    thinking:
      (textOf(members.reasoning_content) || textOf(members.reasoning)) +
      parts.map(thinkingOf).join(''),
    text: textOf(content) + parts.map(answerOf).join('') + textOf(refusal),
    parts,
    members,
    calls: calls.map(readCall),
    citations: citationsOf(annotations),
    finish: textOf(choice.finish_reason),
    usage: usage === undefined || usage === null ? null : readUsage(usage),
  };
}

/** The reasoning of a part: `{ type: 'thinking', thinking: [{ type: 'text', text }] }` of Mistral. */
function thinkingOf(part: unknown): string {
  const { type, thinking, text } = fieldsOf(part);
  if (type !== 'thinking' && type !== 'reasoning') return '';
  if (!Array.isArray(thinking)) return textOf(thinking) || textOf(text);
  return thinking.map((each) => textOf(each) || textOf(fieldsOf(each).text)).join('');
}

/** The text of a part of the answer. Parts of unknown types have none. */
function answerOf(part: unknown): string {
  const { type, text, refusal } = fieldsOf(part);
  if (type === 'text' || type === 'output_text') return textOf(text);
  return type === 'refusal' ? textOf(refusal) : textOf(part);
}

function readCall(value: unknown): CallFragment {
  const { index, id, function: called, type: _, ...others } = fieldsOf(value);
  const { name, arguments: text, ...functionMembers } = fieldsOf(called);
  return {
    index: Number.isSafeInteger(index) ? (index as number) : undefined,
    id: textOf(id).slice(0, maximumIdLength),
    name: textOf(name).slice(0, maximumNameLength),
    // Some providers send the arguments as an object instead of JSON text.
    arguments: typeof text === 'object' && text !== null ? JSON.stringify(text) : rawText(text),
    members: {
      ...others,
      ...(Object.keys(functionMembers).length > 0 && { function: functionMembers }),
    },
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
