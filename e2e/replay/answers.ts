import { readFileSync } from 'node:fs';

/** The model's response to one request. */
export interface Turn {
  readonly text: string;
  /** Reasoning before the text. */
  readonly reasoning?: string;
  /** Parallel calls of tools. */
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: object }[];
}

/** An answer: a turn, and another one after each round of tool results. */
export type Answer = readonly [Turn, ...Turn[]];

/**
 * Reads a text without its final line break. The texts are in .txt files, because a Markdown formatter
 * would repair the deliberately broken ones.
 */
const readAnswerFile = (file: string) =>
  readFileSync(new URL(`answers/${file}`, import.meta.url), 'utf8').replace(/\n$/, '');

const textAnswer = (name: string): Answer => [{ text: readAnswerFile(`${name}.txt`) }];

const reportAnswer = textAnswer('report');
const codeAnswer = textAnswer('code');

export const answers = {
  /** Tables, nested lists, quotes. */
  report: reportAnswer,
  /** Code in five languages, with explanations. */
  code: codeAnswer,
  /** Arabic and Hebrew, mixed with Latin and numbers. */
  rtl: textAnswer('rtl'),
  /** ZWJ sequences, flags, combining marks, CJK, astral characters. */
  emoji: textAnswer('emoji'),
  /** 80,000 characters of Markdown: 20,000 tokens. */
  long: [
    { text: `${reportAnswer[0].text}\n\n${codeAnswer[0].text}\n\n`.repeat(8).slice(0, 80_000) },
  ],
  short: textAnswer('short'),
  empty: [{ text: '' }],
  reasoning: [
    { reasoning: readAnswerFile('reasoning.thinking.txt'), text: readAnswerFile('reasoning.txt') },
  ],
  /** Parallel calls of `get_order` and `track_parcel`. */
  tools: [
    {
      text: readAnswerFile('tools.before.txt'),
      toolCalls: JSON.parse(readAnswerFile('tools.calls.json')),
    },
    { text: readAnswerFile('tools.txt') },
  ],
  /** Images that leak data, dangerous links, raw HTML. */
  hostile: textAnswer('hostile'),
  /** A refusal, then incomplete and unusual Markdown. */
  edges: textAnswer('edges'),
} satisfies Record<string, Answer>;
