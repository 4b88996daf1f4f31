import type { Definition } from './blocks.ts';
import { normalizeLabel, scanLabel } from './labels.ts';
import { opensTitle, scanDestination, scanTitle, skipWhite } from './link-syntax.ts';

const lineEnd = /[ \t]*(?:\n|$)/y;

function lineEndAt(text: string, from: number): number | undefined {
  lineEnd.lastIndex = from;
  return lineEnd.test(text) ? lineEnd.lastIndex : undefined;
}

/**
 * Parses `[label]: destination "title"` at the start of a paragraph.
 *
 * @param complete - Whether the paragraph is complete.
 * @returns `'open'` if the result depends on text that has not arrived; `undefined` if there is no
 *   definition.
 */
export function readDefinition(text: string, complete: boolean): Definition | 'open' | undefined {
  const open = complete ? undefined : 'open';
  if (text[0] !== '[') return undefined;
  const label = scanLabel(text, 0);
  if (!label) return undefined;
  if (label === 'open' || label.end === text.length) return open;
  // A label with a caret belongs to a footnote, which is parsed as a block.
  if (text[label.end] !== ':' || label.value.startsWith('^')) return undefined;

  const from = skipWhite(text, label.end + 1);
  if (from === text.length) return open;
  const scanned = scanDestination(text, from);
  const reachesEnd = scanned === 'open' && text[from] !== '<';
  const destination = reachesEnd && complete ? scanDestination(`${text}\n`, from) : scanned;
  if (destination === 'open') return open;
  if (!destination || destination.end === from) return undefined;

  const base = { label: normalizeLabel(label.value), href: destination.value };
  const withoutTitle = lineEndAt(text, destination.end);
  const short =
    withoutTitle === undefined ? undefined : { ...base, title: undefined, end: withoutTitle };

  const titleAt = skipWhite(text, destination.end);
  if (titleAt === text.length) return complete ? short : 'open';
  if (titleAt === destination.end || !opensTitle(text[titleAt])) return short;
  const title = scanTitle(text, titleAt);
  if (title === 'open') return complete ? short : 'open';
  if (!title) return short;
  const end = lineEndAt(text, title.end);
  if (end === undefined) return short;
  // More text on the same line would make the title invalid.
  if (end === text.length && !complete && text[end - 1] !== '\n') return 'open';
  return { ...base, title: title.value, end };
}
