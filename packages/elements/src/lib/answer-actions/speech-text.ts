import { plural } from '../i18n/format.ts';
import type { Strings } from '../i18n/strings.ts';
import { webAddress } from '../untrusted-text.ts';

/** A sentence for the speech synthesizer. */
export interface SpokenSentence {
  readonly text: string;
  /** BCP 47 tag. */
  readonly lang: string;
}

/** Longest utterance, in characters. Chromium stops a longer one after about 15 seconds. */
const maxLength = 200;

/** Matches parts of a long sentence, which end after a space or a comma. */
const utteranceParts = new RegExp(
  `.{1,${maxLength}}(?:\\s|(?<=[、，،])|$)|.{1,${maxLength}}`,
  'gu',
);

/** Controls, and marks that refer to another place. */
const silentElements =
  '.cite, .code-header, .visually-hidden, [part=footnote-mark], .host, hr, input, button:not(.zoom, .blocked-image)';

const blockElements =
  'p, h1, h2, h3, h4, h5, h6, ul, ol, li, div, section, blockquote, summary, .blocked-image';

/** Elements of MathML whose text can be read from left to right. */
const linearMath = 'math, mrow, mi, mn, mo, mtext, mspace, mstyle';

/** Splits a rendered answer into sentences, without markup. Each fits into an utterance. */
export function spokenSentences(content: Element, strings: Strings): SpokenSentence[] {
  const { locale } = strings;
  return spokenText(content, strings)
    .split('\n')
    .flatMap((line) => sentencesOf(line.replace(/\s+/g, ' ').trim(), locale))
    .flatMap((sentence) => sentence.match(utteranceParts) ?? [])
    .map((text) => text.trim())
    .filter((text) => /[\p{L}\p{N}]/u.test(text))
    .map((text) => ({ text, lang: languageOf(text, locale) }));
}

function sentencesOf(line: string, locale: string): string[] {
  // Firefox has `Intl.Segmenter` since version 125.
  if (!('Segmenter' in Intl)) return [line];
  const segmenter = new Intl.Segmenter(locale, { granularity: 'sentence' });
  return Array.from(segmenter.segment(line), ({ segment }) => segment);
}

/** Returns the text of a node. Line feeds separate blocks. */
function spokenText(node: Node, strings: Strings): string {
  if (node instanceof Text) return node.data;
  if (!(node instanceof HTMLElement) || node.hidden || node.matches(silentElements)) return '';
  if (node instanceof HTMLBRElement) return '\n';
  if (node instanceof HTMLImageElement) return `\n${node.alt}\n`;
  if (node instanceof HTMLTableElement) return spokenTable(node, strings);
  if (node.matches('.code')) return `\n${spokenCode(node, strings)}\n`;
  if (node.matches('.math.display')) return `\n${spokenFormula(node, strings)}\n`;
  if (node.matches('.math')) return spokenFormula(node, strings);
  const isCollapsed = node instanceof HTMLDetailsElement && !node.open;
  const children = isCollapsed ? node.querySelectorAll(':scope > summary') : node.childNodes;
  const text = Array.from(children, (child) => spokenText(child, strings)).join('');
  if (node instanceof HTMLAnchorElement) return webAddress(text)?.host ?? text;
  if (node instanceof HTMLLIElement) return `\n${labelOf(node, strings)}${text.trim()}\n`;
  if (node.matches('.notes')) return `\n${strings.footnotes}\n${text}\n`;
  return node.matches(blockElements) ? `\n${text}\n` : text;
}

/** Returns the number of a list item, or the state of a task. */
function labelOf(item: HTMLLIElement, { taskDone, taskOpen }: Strings): string {
  const box = item.querySelector<HTMLInputElement>(':scope > input');
  if (box) return `${box.checked ? taskDone : taskOpen}: `;
  const list = item.parentElement;
  if (!(list instanceof HTMLOListElement)) return '';
  // A full stop after the number would end a sentence.
  return `${list.start + [...list.children].indexOf(item)}: `;
}

/** Summarizes code, whose source is hard to follow by ear. */
function spokenCode(block: HTMLElement, strings: Strings): string {
  const { codeBlock, codeLines } = strings;
  const language = block.querySelector('[part=code-language]')?.textContent ?? '';
  // The elements of 50 lines each are blocks, without a line feed between them.
  const lines = Array.from(block.querySelectorAll('.lines'), ({ textContent }) => textContent ?? '')
    .join('\n')
    .replace(/\n$/, '')
    .split('\n');
  const names = language === codeBlock ? [codeBlock] : [codeBlock, language];
  return [...names, plural(strings, codeLines, lines.length)].join(', ');
}

/** Returns a formula of letters, digits and signs in a row; for any other, the word “formula”. */
function spokenFormula(element: HTMLElement, { formula }: Strings): string {
  const tokens = [...element.querySelectorAll('math, math *')];
  if (tokens.length === 0 || tokens.some((token) => !token.matches(linearMath))) return formula;
  return tokens
    .map((token) => (token.childElementCount > 0 ? '' : (token.textContent ?? '')))
    .join(' ');
}

/** Returns the rows of a table, with the header of its column before each cell. */
function spokenTable(table: HTMLTableElement, strings: Strings): string {
  const textOf = (cell: Element) =>
    Array.from(cell.childNodes, (node) => spokenText(node, strings))
      .join('')
      .trim();
  const headers = [...(table.tHead?.rows[0]?.cells ?? [])].map(textOf);
  const rows = [...table.tBodies].flatMap(({ rows }) => [...rows]);
  if (rows.length === 0) return `\n${headers.join(', ')}\n`;
  return rows
    .map(({ cells }) => {
      const texts = [...cells].map((cell, index) => {
        const text = textOf(cell);
        return text && [headers[index], text].filter(Boolean).join(': ');
      });
      return `\n${texts.filter(Boolean).join(', ')}\n`;
    })
    .join('');
}

/** Characters of scripts, by the code of ISO 15924. */
const scripts: readonly (readonly [string, RegExp])[] = [
  ['Latn', /\p{Script=Latin}/gu],
  ['Arab', /\p{Script=Arabic}/gu],
  ['Hebr', /\p{Script=Hebrew}/gu],
  ['Cyrl', /\p{Script=Cyrillic}/gu],
  ['Grek', /\p{Script=Greek}/gu],
  ['Deva', /\p{Script=Devanagari}/gu],
  ['Thai', /\p{Script=Thai}/gu],
  ['Kore', /\p{Script=Hangul}/gu],
  ['Jpan', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['Han', /\p{Script=Han}/gu],
];

/** Languages of these scripts, for a text whose script no language of the user has. */
const usualLanguages = ['en', 'ar', 'he', 'ru', 'el', 'hi', 'th', 'ko', 'ja', 'zh'];

/**
 * Returns the language of the chat if it has the script of the text, because a voice is silent or spells
 * the letters in another script; otherwise a language of the user or the most usual one of the script.
 */
function languageOf(text: string, locale: string): string {
  const counts = scripts.map(([script, character]) => {
    return { script, count: text.match(character)?.length ?? 0 };
  });
  const { script, count } = counts.reduce((most, each) => (each.count > most.count ? each : most));
  if (count === 0) return locale;
  const hasKana = counts.some((each) => each.script === 'Jpan' && each.count > 0);
  const wanted = script === 'Han' && hasKana ? 'Jpan' : script;
  const languages = [locale, ...navigator.languages, ...usualLanguages];
  return languages.find((language) => scriptsOf(language).includes(wanted)) ?? locale;
}

/** Returns the scripts that a language is written in. */
function scriptsOf(language: string): readonly string[] {
  try {
    const { script = '' } = new Intl.Locale(language).maximize();
    if (script === 'Hans' || script === 'Hant') return ['Han'];
    return script === 'Jpan' ? ['Jpan', 'Han'] : [script];
  } catch {
    // The tag is invalid.
    return [];
  }
}
