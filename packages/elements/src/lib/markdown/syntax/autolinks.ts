import { maxAddress } from './limits.ts';

/** Addresses that are links without any mark around them: GFM's extended autolinks. */
export interface Autolink {
  readonly start: number;
  readonly end: number;
  readonly href: string;
}

const candidate = /https?:\/\/|www\.|@/gi;
const address = new RegExp(`(?:https?://|www\\.)[^\\s<]{1,${maxAddress}}`, 'iy');
const mailDomain = /@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63})+/iy;
const mailName = /[\w.+-]{1,64}$/;
const mayPrecede = /[\s*_~("'[{>]/;

/** The first bare address in `source` from `from`, beginning before `to`. */
export function findAutolink(source: string, from: number, to: number): Autolink | undefined {
  for (const match of source.slice(from, to).matchAll(candidate)) {
    const at = from + match.index;
    const found = match[0] === '@' ? mailAt(source, from, at) : addressAt(source, at);
    if (found) return found;
  }
  return undefined;
}

function addressAt(source: string, start: number): Autolink | undefined {
  if (start > 0 && !mayPrecede.test(source[start - 1] ?? '')) return undefined;
  address.lastIndex = start;
  const raw = address.exec(source)?.[0];
  if (!raw) return undefined;
  const text = withoutTrailingPunctuation(raw);
  if (!/^(?:https?:\/\/|www\.)[^\s./?#]/i.test(text)) return undefined;
  const href = /^www\./i.test(text) ? `http://${text}` : text;
  return { start, end: start + text.length, href };
}

function mailAt(source: string, from: number, at: number): Autolink | undefined {
  const name = mailName.exec(source.slice(Math.max(from, at - 64), at))?.[0];
  if (!name || source[at - name.length - 1] === '_') return undefined;
  mailDomain.lastIndex = at;
  const domain = mailDomain.exec(source)?.[0].replace(/[-.]+$/, '');
  if (!domain?.includes('.')) return undefined;
  const start = at - name.length;
  return { start, end: at + domain.length, href: `mailto:${name}${domain}` };
}

/** A full stop ends the sentence rather than the address; so does a bracket that was opened before it. */
function withoutTrailingPunctuation(raw: string): string {
  let end = raw.length;
  let unclosed = 0;
  for (const char of raw) unclosed += char === '(' ? 1 : char === ')' ? -1 : 0;
  for (; end > 0; end -= 1) {
    const char = raw[end - 1] ?? '';
    if (char === ')') {
      if (unclosed >= 0) break;
      unclosed += 1;
    } else if (char === ';') {
      const reference = /&[a-z\d]+;$/i.exec(raw.slice(0, end).slice(-40));
      if (reference) end -= reference[0].length - 1;
    } else if (!/[?!.,:*_~'"\]}]/.test(char)) break;
  }
  return raw.slice(0, end);
}
