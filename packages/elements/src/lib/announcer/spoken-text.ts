import type { Strings } from '../i18n/strings.ts';
import { extras } from '../markdown/extras.ts';

/** Longest announcement, in characters. Longer text is cut. */
const maxLength = 1500;

/** Syntax that only `spokenExtras` removes. The Markdown element loads the extras for each of these. */
const rareSyntax = /[$<|\u2020\u3010\ue200-\ue206]|\\[([]|\\begin|\[citation|\[[!^]|\]:|`{3}|~~~/;

/** Whether a text has to wait for the extras before it is announced. */
export const needsExtras = (markdown: string) => !extras() && rareSyntax.test(markdown);

/**
 * Converts Markdown to text for announcements, without markup. All patterns have to run in linear
 * time: a message of nothing but `|` or `[` must not block the page.
 */
export function spokenText(markdown: string, strings: Strings): string {
  const plain = (extras()?.spokenExtras(markdown, strings) ?? markdown)
    .replace(/!?\[([^[\]]*)\]\((?:[^()\n]|\([^()\n]*\))*\)/g, '$1')
    .replace(/(?<!\w)!?\[([^[\]]+)\]\[[^[\]\n]{0,200}\]/g, '$1')
    .replace(/^(?: {0,3}> ?)+/gm, '')
    // Thematic breaks, underlines of headings, and delimiter rows of tables.
    .replace(/^[ \t:|=-]{2,}$/gm, '')
    .replace(/^[ \t]*(?:#{1,6}|[-*+]|(\d{1,9}[.)]))[ \t]+(.*)$/gm, (_, number = '', item: string) =>
      sentence(`${number} ${spokenTask(item, strings)}`),
    )
    .replace(/\\(?=[*`~_])|[*`]+|~~+/g, '')
    .replace(/_+/g, (run, index: number, whole: string) => {
      const isWithin =
        /\w/.test(whole[index - 1] ?? '') && /\w/.test(whole[index + run.length] ?? '');
      return isWithin ? run : '';
    })
    .replace(/[\s|]+/g, ' ')
    .trim();
  return plain.length > maxLength ? `${plain.slice(0, maxLength)}…` : plain;
}

/** Replaces the checkbox of a task by its state. */
const spokenTask = (item: string, { taskDone, taskOpen }: Strings) =>
  item.replace(/^\[([ x])\]\s/i, (_, mark) => `${mark === ' ' ? taskOpen : taskDone}: `);

/** Ends a heading or a list item with a full stop, so that screen readers pause after it. */
const sentence = (text: string) => text.replace(/([\p{L}\p{N})\]*_`#])(\s*)$/u, '$1.$2');
