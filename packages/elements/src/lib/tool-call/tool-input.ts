import { html, nothing } from 'lit';
import type { Strings } from '../i18n/strings.ts';
import { escapeHidden } from '../untrusted-text.ts';

/** Maximum length of a value in characters. Longer values are truncated. */
const maxLength = 20_000;

/** Length in characters above which a value is shown below its name instead of beside it. */
const longValueLength = 80;

/** Truncates a text, unless `showsAll`, and makes invisible characters visible. */
export function truncate(text: string, showsAll = false): string {
  return escapeHidden(text.length > maxLength && !showsAll ? `${text.slice(0, maxLength)}…` : text);
}

/** Whether a value of the input is truncated by default. */
export function isTruncated(input: Readonly<Record<string, unknown>>): boolean {
  return Object.values(input).some((value) => textOf(value).length > maxLength);
}

/** Whether a value is a list that is readable on one line without JSON's quotation marks. */
const isShortStrings = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => typeof item === 'string' && item.trim() !== '' && item.length < 40);

/** The text that is shown for a value. Lists of short strings are on one line, other values are JSON. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isShortStrings(value)) return value.join(', ');
  return JSON.stringify(value, null, 2) ?? '';
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

function renderValue(value: unknown, strings: Strings, showsAll: boolean) {
  if (value === null || value === undefined || value === '') {
    return html`<span class="nothing">–</span>`;
  }
  if (typeof value === 'boolean') return value ? strings.yes : strings.no;
  if (typeof value === 'number') return html`<bdi>${value}</bdi>`;
  const text = truncate(textOf(value), showsAll);
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
  input: Readonly<Record<string, unknown>>,
  strings: Strings,
  showsAll = false,
) {
  const rows = Object.entries(input);
  if (rows.length === 0) return html`<p class="nothing">${strings.toolNoInput}</p>`;
  return html`<dl part="input">
    ${rows.map(
      ([name, value]) =>
        html`<div class=${textOf(value).length > longValueLength ? 'long' : ''}>
          <dt title=${name === readableName(name) ? nothing : name}><bdi>${escapeHidden(readableName(name))}</bdi></dt>
          <dd>${renderValue(value, strings, showsAll)}</dd>
        </div>`,
    )}
  </dl>`;
}
