import { readFileSync } from 'node:fs';

/** The model's response to one request. */
export interface Turn {
  readonly text: string;
  /** Reasoning before the text. */
  readonly reasoning?: string;
  /** Parallel calls of tools. */
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: object }[];
}

/** An answer: a turn for each round of tool results. */
export type Answer = readonly [Turn, ...Turn[]];

/**
 * Reads a text without its final line break. The texts are in .txt files, because a Markdown formatter
 * would repair the deliberately broken ones.
 */
const read = (file: string) =>
  readFileSync(new URL(`answers/${file}`, import.meta.url), 'utf8').replace(/\n$/, '');

const text = (name: string): Answer => [{ text: read(`${name}.txt`) }];

const report = text('report');
const code = text('code');

export const answers = {
  /** Tables, nested lists, quotes. */
  report,
  /** Code in five languages, with explanations. */
  code,
  /** Arabic and Hebrew, mixed with Latin and numbers. */
  rtl: text('rtl'),
  /** ZWJ sequences, flags, combining marks, CJK, astral characters. */
  emoji: text('emoji'),
  /** 80,000 characters of Markdown: 20,000 tokens. */
  long: [{ text: `${report[0].text}\n\n${code[0].text}\n\n`.repeat(8).slice(0, 80_000) }],
  short: text('short'),
  reasoning: [{ reasoning: read('reasoning.thinking.txt'), text: read('reasoning.txt') }],
  /** Parallel calls of `get_order` and `track_parcel`. */
  tools: [
    { text: read('tools.before.txt'), toolCalls: JSON.parse(read('tools.calls.json')) },
    { text: read('tools.txt') },
  ],
  /** Images that leak data, dangerous links, raw HTML. */
  hostile: text('hostile'),
  /** A refusal, then incomplete and unusual Markdown. */
  edges: text('edges'),
} satisfies Record<string, Answer>;
