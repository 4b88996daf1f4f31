import type { Scan } from './labels.ts';
import { opensTitle, scanDestination, scanTitle, skipWhite } from './link-syntax.ts';
import type { LinkTail } from './plain-link.ts';

/** Scans `(destination "title")`. */
export function scanLinkTail(text: string, from: number): Scan<LinkTail> {
  let at = skipWhite(text, from + 1);
  if (at >= text.length) return 'open';
  if (text[at] === ')') return { end: at + 1, value: { href: '', title: undefined } };

  const destination = scanDestination(text, at);
  if (destination === 'open' || destination === undefined) return destination;
  at = skipWhite(text, destination.end);
  if (at >= text.length) return 'open';

  let title: string | undefined;
  if (at > destination.end && opensTitle(text[at])) {
    const scanned = scanTitle(text, at);
    if (scanned === 'open' || scanned === undefined) return scanned;
    title = scanned.value;
    at = skipWhite(text, scanned.end);
    if (at >= text.length) return 'open';
  }
  if (text[at] !== ')') return undefined;
  return { end: at + 1, value: { href: destination.value, title } };
}
