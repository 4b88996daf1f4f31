import { extras } from '../markdown/extras.ts';

/**
 * Returns the index at which the last whole sentence of a growing text ends; 0 if there is none. A full
 * stop ends a sentence only if something follows, because `3.` may become `3.14`. A line break also
 * ends a sentence, because headings and list items have no full stop. An unfinished code block, table
 * or formula contains no sentence: it is announced when it is complete.
 */
export function sentencesEnd(text: string): number {
  let end = 0;
  const prose = extras()?.maskBlocks(text) ?? text;
  for (const { index, 0: mark } of prose.matchAll(/[.!?…؟।](?=\s)|[。！？]|\n/gu)) {
    end = index + mark.length;
  }
  return end;
}
