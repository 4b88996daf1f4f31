import type { ToolEntry } from '@inlay/client';
import { toJson } from '@inlay/protocol/to-json';
import { html, nothing } from 'lit';
import { codeOf, escapeHidden } from '../escape-hidden.ts';
import type { Strings } from '../i18n/all-strings.ts';
import { plural } from '../i18n/format.ts';

/** Maximum length of a value in characters. Longer values are truncated. */
const maxLength = 20_000;

/** Length in characters above which a value is shown below its name instead of beside it. */
const longValueLength = 80;

/** More than two empty lines, which could move what follows out of view. */
const emptyLines = /\n(?:[^\S\n]*\n){3,}/g;

/** A long run of one kind of space in a line. */
const longSpace = /([^\S\n])\1{19,}/g;

/** Truncates a text, unless `showsAll`, and makes invisible characters visible. */
export function truncate(text: string, showsAll = false): string {
  return escapeHidden(text.length > maxLength && !showsAll ? `${text.slice(0, maxLength)}…` : text);
}

/** Replaces long gaps in a visible text by a note of their size. */
function withoutGaps(text: string, strings: Strings): string {
  return text
    .replace(emptyLines, (gap) => {
      const count = gap.split('\n').length - 2;
      return `\n[${plural(strings, strings.toolEmptyLines, count)}]\n`;
    })
    .replace(longSpace, (gap, space: string) => ` ${codeOf(space, gap.length)} `);
}

/** Whether a value of the input is truncated by default. */
export function isTruncated(input: Readonly<Record<string, unknown>>): boolean {
  return Object.values(input).some((value) => textOf(value).length > maxLength);
}

/** Whether a value is a list that is readable on one line without JSON's quotation marks. */
const isShortStrings = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every(
    (item) =>
      typeof item === 'string' && item.trim() !== '' && item.length < 40 && !/[,،、\n]/.test(item),
  );

/** Writes a number with its sign, and without a change if JSON has no form for it. */
const numberText = (value: number) => (Object.is(value, -0) ? '-0' : String(value));

/** The text that is shown for a value. Lists of short strings are on one line, other values are JSON. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberText(value);
  if (isShortStrings(value)) return value.join(', ');
  const replacer = (_: string, each: unknown) =>
    typeof each === 'number' && (!Number.isFinite(each) || Object.is(each, -0))
      ? numberText(each)
      : each;
  return toJson(value, replacer, 2) ?? '';
}

/** Converts an identifier to words: `look_up_order` and `lookUpOrder` become `Look up order`. */
export function readableName(name: string): string {
  const spaced = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, (_, before: string, after: string) => {
      return `${before} ${after.toLowerCase()}`;
    })
    .replace(/[_\-.]+/g, ' ')
    .trim();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** The readable name of a tool or argument, or its exact name if that is not a plain identifier. */
export function labelOf(name: string): string {
  return isIdentifier(name) ? readableName(name) : exactName(name);
}

const identifier = /^[\p{L}\p{N}](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}])?$/u;

const latinLetter = /\p{Script=Latin}/u;

/** Letters of scripts in which some look like Latin ones: `аmount` with a Cyrillic `а`. */
const lookalikes =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/gu;

const isMixed = (name: string) => latinLetter.test(name) && name.search(lookalikes) >= 0;

const isIdentifier = (name: string) => identifier.test(name) && !isMixed(name);

/** A name as the model wrote it, with the codes of marks that Unicode would compose and of lookalikes. */
function exactName(name: string): string {
  const isComposed = name === name.normalize('NFC');
  const composed = isComposed ? name : name.replace(/\p{M}/gu, (mark) => codeOf(mark, 1));
  const text = isMixed(name)
    ? composed.replace(lookalikes, (letter) => codeOf(letter, 1))
    : composed;
  return escapeHidden(text).replace(/\s+/g, ' ');
}

/** Reduces a name to the characters that users distinguish. Names with the same skeleton look alike. */
const skeletonOf = (name: string) =>
  readableName(name)
    .normalize('NFKD')
    .replace(/[\p{M}\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu, '')
    .toLowerCase();

/** The arguments of which the exact name is shown, because another name has the same label. */
function ambiguousNames(names: readonly string[]): Set<string> {
  const bySkeleton = new Map<string, string[]>();
  for (const name of names) {
    const skeleton = skeletonOf(name);
    bySkeleton.set(skeleton, [...(bySkeleton.get(skeleton) ?? []), name]);
  }
  return new Set([...bySkeleton.values()].filter(({ length }) => length > 1).flat());
}

function renderName(name: string, isExact: boolean, isUndeclared: boolean, strings: Strings) {
  if (!isExact && !isUndeclared && isIdentifier(name)) {
    const label = readableName(name);
    return html`<bdi title=${label === name ? nothing : name}>${label}</bdi>`;
  }
  return html`<code class="exact" dir="ltr">${exactName(name)}</code>${
    isUndeclared
      ? html`<span class="undeclared"><bdi>${strings.toolUndeclared}</bdi></span>`
      : nothing
  }`;
}

function renderValue(value: unknown, strings: Strings, showsAll: boolean) {
  if (value === null || value === undefined || value === '') {
    return html`<span class="nothing">–</span>`;
  }
  if (typeof value === 'boolean') return value ? strings.yes : strings.no;
  if (typeof value === 'number') return html`<bdi>${numberText(value)}</bdi>`;
  const text = withoutGaps(truncate(textOf(value), showsAll), strings);
  if (typeof value === 'string') return html`<bdi class="value">${text}</bdi>`;
  if (isShortStrings(value)) return html`<bdi>${text}</bdi>`;
  return html`<code dir="ltr">${text}</code>`;
}

/**
 * Renders the input of a tool call, one row per argument.
 *
 * @param showsAll - Whether long values are shown in full.
 */
export function renderInput(
  { input, undeclaredArguments = [] }: Pick<ToolEntry, 'input' | 'undeclaredArguments'>,
  strings: Strings,
  showsAll = false,
) {
  const rows = Object.entries(input);
  if (rows.length === 0) return html`<p class="nothing">${strings.toolNoInput}</p>`;
  const ambiguous = ambiguousNames(Object.keys(input));
  const undeclared = new Set(undeclaredArguments);
  return html`<dl part="input">
    ${rows.map(
      ([name, value]) =>
        html`<div class=${textOf(value).length > longValueLength ? 'long' : ''}>
          <dt>${renderName(name, ambiguous.has(name), undeclared.has(name), strings)}</dt>
          <dd>${renderValue(value, strings, showsAll)}</dd>
        </div>`,
    )}
  </dl>`;
}
