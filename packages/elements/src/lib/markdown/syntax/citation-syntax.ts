import type { InlineState } from './inline-state.ts';

/**
 * Citation marks that models write into their text. They refer to search results that the user does not
 * see, and are not shown. The sources of an answer are its `citations`.
 */

/** Maximum length of a mark, in characters. A longer one is text. */
const maxMark = 400;

/** Marks of OpenAI: `【4:0†source】`, and `cite…` between private-use characters. */
const mark = new RegExp(
  `\u3010[\\w:,-]{1,30}\u2020[^\u3011\\n]{0,${maxMark}}\u3011|\ue200([^\\n\ue200\ue201]{0,${maxMark}})\ue201`,
  'y',
);
const incompleteMark = new RegExp(
  `^(?:\u3010(?:[\\w:,-]{0,30}|[\\w:,-]{1,30}\u2020[^\u3011\\n]{0,${maxMark}})|\ue200[^\\n\ue200\ue201]{0,${maxMark}})$`,
);
/** The start of a mark that never ends. */
const unclosedMark = /[\ue200-\ue206][a-z]*(?:\ue202[^\s\ue200-\ue206]*)*/y;

/** Text in a mark that is shown: the name of an entity, or the title of a link and its URL. */
export interface MarkText {
  readonly text: string;
  readonly href?: string | undefined;
}

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
    return match[1] === undefined ? { text: '' } : textIn(match[1]);
  }
  if (unfinished && incompleteMark.test(source.slice(position, position + maxMark + 40))) {
    state.holdBack();
    return { text: '' };
  }
  unclosedMark.lastIndex = position;
  if (!unclosedMark.test(source)) return undefined;
  state.position = unclosedMark.lastIndex;
  return { text: '' };
}

function textIn(content: string): MarkText {
  const [kind, text = '', href] = content.split('\ue202');
  if (kind === 'url') return { text, href };
  return { text: kind === 'entity' ? (/^\s*\["[^"]*",\s*"([^"\\]*)"/.exec(text)?.[1] ?? '') : '' };
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

const spokenMarks = new RegExp(
  `${mark.source}|\\[(?:\\^\\d{1,3}\\^|citation:\\s?\\d{1,3}|\\d{1,4}:\\d{1,4}\u2020[^\\]\\n]{0,${maxMark}})\\]|<citation[^<>]{0,200}>[\\w\\s,;-]{0,64}</citation>|</?cit(?:e|ation)(?:\\s[^<>]{0,200})?>|${unclosedMark.source}`,
  'gi',
);

/** Removes citation marks from a text for announcements. */
export const withoutCitationMarks = (text: string): string =>
  text.replace(spokenMarks, (_, content?: string) => (content ? textIn(content).text : ''));
