import { readFileSync } from 'node:fs';
import type { Answer, ToolCall } from './answer.ts';
import { composeGuide } from './guide.ts';
import type { Service } from './guide-service.ts';

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

/**
 * Reads a text. The texts are in .txt files, because a Markdown formatter would repair the deliberately
 * broken ones. The final line break of a file is not part of the answer.
 */
const readText = (file: string) => read(file).replace(/\n$/, '');

const text = (description: string, file: string) => (): Answer => ({
  description,
  turns: [{ text: readText(file) }],
});

/** All answers by name. Texts are read on first use. */
const catalogue = {
  report: text('a long Markdown report: tables, nested lists, quotes', 'report.txt'),
  code: text('code in five languages, explained', 'code.txt'),
  rtl: text('Arabic and Hebrew mixed with Latin and numbers', 'rtl.txt'),
  emoji: text('emoji sequences, flags, combining marks, CJK, astral characters', 'emoji.txt'),
  guide: (): Answer => ({
    description: 'a technical guide of 20,000 tokens',
    turns: [{ text: composeGuide(JSON.parse(read('guide-services.json')) as Service[]) }],
  }),
  short: text('two plain sentences', 'short.txt'),
  reasoning: (): Answer => ({
    description: 'thinks first, in reasoning_content, then answers',
    turns: [{ reasoning: readText('reasoning.thinking.txt'), text: readText('reasoning.txt') }],
  }),
  tools: (): Answer => ({
    description: 'calls get_order and track_parcel in parallel, then answers',
    turns: [
      {
        text: readText('tools.before.txt'),
        toolCalls: JSON.parse(read('tools.calls.json')) as ToolCall[],
      },
      { text: readText('tools.txt') },
    ],
  }),
  hostile: text('images that leak, dangerous links, raw HTML', 'hostile.txt'),
  edges: text('a refusal, and Markdown that is unfinished or unusual', 'edges.txt'),
};

export type AnswerName = keyof typeof catalogue;

export const answerNames = Object.keys(catalogue) as AnswerName[];

const loaded = new Map<AnswerName, Answer>();

/** Returns the answer with this name, or null. */
export function findAnswer(name: string): Answer | null {
  const known = answerNames.find((each) => each === name);
  if (!known) return null;
  const answer = loaded.get(known) ?? catalogue[known]();
  loaded.set(known, answer);
  return answer;
}
