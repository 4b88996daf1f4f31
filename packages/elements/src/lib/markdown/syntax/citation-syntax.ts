import {
  completeMark,
  type MarkText,
  maxMark,
  readMarkContent,
  unclosedMark,
} from '@inlay/protocol/citation-marks';
import type { InlineState } from './inline-state.ts';

/** Parses the citation marks of `@inlay/protocol/citation-marks`, which are not shown. */

const mark = new RegExp(completeMark, 'y');
const incompleteMark = new RegExp(
  `^(?:\u3010(?:[\\w:,-]{0,30}|[\\w:,-]{1,30}\u2020[^\u3011\\n]{0,${maxMark}})|\ue200[^\\n\ue200\ue201]{0,${maxMark}})$`,
);
const unclosed = new RegExp(unclosedMark, 'y');

/**
 * Parses a citation mark at the position.
 *
 * @returns The text in place of the mark, which is usually empty; undefined if there is no mark.
 */
export function readCitationMark(state: InlineState): MarkText | undefined {
  const { source, position, unfinished } = state;
  mark.lastIndex = position;
  const match = mark.exec(source);
  if (match) {
    state.position = mark.lastIndex;
    return readMarkContent(match[1] ?? '');
  }
  if (unfinished && incompleteMark.test(source.slice(position, position + maxMark + 40))) {
    state.holdBack();
    return { text: '' };
  }
  unclosed.lastIndex = position;
  if (!unclosed.test(source)) return undefined;
  state.position = unclosed.lastIndex;
  return { text: '' };
}

/** The text in brackets of a citation mark: `[^1^]`, `[citation:1]` or `[4:0†source]`. */
const label = /^(?:\^\d{1,3}\^|citation:\s?\d{1,3}|\d{1,4}:\d{1,4}\u2020.*)$/;
const incompleteLabel =
  /^(?:\^|c(?:i|it|ita|itat|itati|itatio|itation(?::[\s\d]*\]?)?)?$|\d{1,4}(?:$|:\d{0,4}(?:$|\u2020)))/;

export const isCitationLabel = (text: string) => label.test(text);

/** Whether a text after an unclosed bracket may be a citation mark or a footnote. */
export const startsCitationLabel = (text: string) => incompleteLabel.test(text);

const element =
  /<citation(?:\s[^<>]{0,200})?>(?:[^\s<>]{0,64}|[\d\s,;[\]()]{0,64})<\/citation\s*>/iy;
const incompleteElement =
  /<citation(?:\s[^<>]{0,200})?>(?:[^\s<>]{0,64}|[\d\s,;[\]()]{0,64})(?:<\/?[a-z]{0,8}\s*)?$/iy;

/**
 * Parses a `<citation>` element that contains only numbers or an identifier. Of other elements, only the
 * tags are hidden.
 */
export function readCitationElement(state: InlineState): boolean {
  const { source, position } = state;
  element.lastIndex = position;
  incompleteElement.lastIndex = position;
  if (element.test(source)) {
    state.list.text('');
    state.position = element.lastIndex;
    return true;
  }
  if (!state.unfinished || !incompleteElement.test(source)) return false;
  state.holdBack();
  return true;
}
