import type { Block } from './blocks.ts';
import { maxLineStart } from './limits.ts';

/**
 * Recognizes the starts of blocks. `content` is the rest of a line after the markers of its containers
 * and white space.
 */

export interface ListMarker {
  readonly ordered: boolean;
  readonly delimiter: string;
  readonly start: number;
  /** Length of the marker in characters. */
  readonly width: number;
}

const bullet = /^[-+*](?=[ \t]|$)/;
const ordinal = /^(\d{1,9})([.)])(?=[ \t]|$)/;

export function listMarker(content: string): ListMarker | undefined {
  const char = bullet.exec(content)?.[0];
  if (char) return { ordered: false, delimiter: char, start: 1, width: 1 };
  const [marker, number, delimiter] = ordinal.exec(content) ?? [];
  if (!marker || !delimiter) return undefined;
  return { ordered: true, delimiter, start: Number(number), width: marker.length };
}

const heading = /^(#{1,6})(?:[ \t]+|$)/;

/** Level of a `#` heading and the index of its text. */
export function headingStart(content: string): { level: number; textAt: number } | undefined {
  const match = heading.exec(content);
  return match?.[1] ? { level: match[1].length, textAt: match[0].length } : undefined;
}

/**
 * Length of the text of a heading without its closing `#` and trailing white space.
 *
 * @param fromStart Whether `text` starts where the text of the heading starts, so that a `#` at its
 *   start may be a closing one.
 */
export function headingTextLength(text: string, fromStart: boolean): number {
  const bare = text.trimEnd();
  let end = bare.length;
  while (bare[end - 1] === '#') end -= 1;
  if (end === 0) return fromStart ? 0 : bare.length;
  const opened = bare[end - 1] === ' ' || bare[end - 1] === '\t';
  return opened ? bare.slice(0, end).trimEnd().length : bare.length;
}

const fence = /^(`{3,})([^`]*)$|^(~{3,})(.*)$/;

/** The backticks or tildes of a code fence and its info string. */
export function fenceStart(content: string): { mark: string; info: string } | undefined {
  const match = fence.exec(content);
  if (!match) return undefined;
  return { mark: match[1] ?? match[3] ?? '', info: (match[2] ?? match[4] ?? '').trim() };
}

export function closesFence(content: string, mark: string): boolean {
  const end = content.trimEnd();
  return end.length >= mark.length && end === (mark[0] ?? '').repeat(end.length);
}

const rule = /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
export const isRule = (content: string) => rule.test(content);

const underline = /^(?:(=+)|-+)[ \t]*$/;

/** Returns the level of a heading by its underline of `=` or `-`. */
export function underlineLevel(content: string): 1 | 2 | undefined {
  const match = underline.exec(content);
  if (!match) return undefined;
  return match[1] ? 1 : 2;
}

const containerMarks = /^(?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t]|\[\^[^\]\s[\\]{1,100}\]:)*/;
const ambiguousStart =
  /^(?:<\/?[a-z]{0,7}|<(?:\/?details|summary)(?![\w-]).*|<!(?:-(?:-.*)?)?|\[![a-z]*\]?[ \t]*|#{1,6}[ \t]*|[-+*_=|: \t]*|\d{1,9}[.)]?|`{1,2}|`{3,}[^`]*|~{1,2}|~{3,}.*|\[(?:[ xX](?:\][ \t]*)?)?|\[\^[^\]\s[\\]{0,100}(?:\]:?[ \t]*)?|\$(?:\$.*)?|\\(?:\[.*|b(?:e|eg|egi|egin(?:\{.*)?)?)?)$/i;
const ambiguousInCode = /^(?:[`~]*[ \t]*$|`{3}|~{3})/;

/**
 * Whether the kind of an unfinished line no longer depends on the rest of it. Until then, the line is
 * not rendered, so that incomplete markup, such as the delimiter row of a table, is never visible.
 * False is always a safe result, because it only delays rendering.
 */
export function isLineKindKnown(line: string, tip: Block, nested: boolean): boolean {
  // The rest of the line may end these blocks.
  if (tip.kind === 'math' || tip.kind === 'comment' || tip.kind === 'summary') return false;
  const inCode = tip.kind === 'plain' || (tip.kind === 'code' && tip.fence !== undefined);
  const start = line.slice(0, maxLineStart);
  if (inCode && ambiguousInCode.test(start.replace(/^[ \t>]*/, ''))) return false;
  if (inCode && !nested) return true;
  return !ambiguousStart.test(start.replace(containerMarks, ''));
}
