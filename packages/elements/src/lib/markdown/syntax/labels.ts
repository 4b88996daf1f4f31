import { maxLabel } from './limits.ts';

/** Result of a scan; `'open'` if the text ends too early to decide, `undefined` if there is no match. */
export type Scan<T> = { readonly end: number; readonly value: T } | 'open' | undefined;

/** Normalizes case and white space of a label, which are not significant. */
export function normalizeLabel(label: string): string {
  return label
    .trim()
    .replace(/[ \t\n]+/g, ' ')
    .toLowerCase()
    .toUpperCase();
}

/** Scans `[label]`. */
export function scanLabel(text: string, from: number): Scan<string> {
  for (let index = from + 1; index < text.length; index += 1) {
    if (index - from > maxLabel + 1) return undefined;
    if (text[index] === '\\') index += 1;
    else if (text[index] === '[') return undefined;
    else if (text[index] === ']') {
      const value = text.slice(from + 1, index);
      return value.trim() ? { end: index + 1, value } : undefined;
    }
  }
  return 'open';
}
