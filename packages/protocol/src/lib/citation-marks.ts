/**
 * Citation marks that models write into their text. They refer to search results that the user does not
 * see, and are not shown. The sources of an answer are its `citations`.
 */

/** Maximum length of a mark, in characters. A longer one is text. */
export const maxMark = 400;

/**
 * Marks of OpenAI: `【4:0†source】`, and `cite…` between private-use characters (the group `content`).
 */
export const completeMark = `\u3010[\\w:,-]{1,30}\u2020[^\u3011\\n]{0,${maxMark}}\u3011|\ue200(?<content>[^\\n\ue200\ue201]{0,${maxMark}})\ue201`;

/** The start of a mark that never ends. */
export const unclosedMark = '[\ue200-\ue206][a-z]*(?:\ue202[^\\s\ue200-\ue206]*)*';

/** Text in a mark that is shown: the name of an entity, or the title of a link and its URL. */
export interface MarkText {
  readonly text: string;
  readonly href?: string | undefined;
}

/** Reads the content of a mark between private-use characters. */
export function readMarkContent(content: string): MarkText {
  const [kind, text = '', href] = content.split('\ue202');
  if (kind === 'url') return { text, href };
  return { text: kind === 'entity' ? (/^\s*\["[^"]*",\s*"([^"\\]*)"/.exec(text)?.[1] ?? '') : '' };
}

const label = `\\[(?:\\^\\d{1,3}\\^|citation:\\s?\\d{1,3}|\\d{1,4}:\\d{1,4}\u2020[^\\]\\n]{0,${maxMark}})\\](?!\\()`;
const element =
  '<citation[^<>]{0,200}>[\\w\\s,;-]{0,64}</citation>|</?cit(?:e|ation)(?:\\s[^<>]{0,200})?>';

/** A code block up to its closing fence or the end of the text, or a code span. */
const code =
  '^(?:[ \\t>]|[-*+][ \\t]|\\d{1,9}[.)][ \\t])*(?<fence>`{3,}(?=[^`\\n]*$)|~{3,})[^]*?(?:^[ \\t>]*\\k<fence>|(?![^]))|(?<!`)(?<ticks>`+)(?!`)[^]{0,1000}?(?<!`)\\k<ticks>(?!`)';

const codeOrMark = new RegExp(
  `(?<code>${code})|${completeMark}|${label}|${element}|${unclosedMark}`,
  'gim',
);

/** Removes citation marks from a Markdown text. Marks in code are kept, as in the rendered text. */
export function withoutCitationMarks(markdown: string): string {
  return markdown.replace(codeOrMark, (...match) => {
    const { code, content = '' } = match.at(-1);
    if (code !== undefined) return code;
    const { text, href } = readMarkContent(content);
    return href ? `[${text || href}](${href})` : text;
  });
}
