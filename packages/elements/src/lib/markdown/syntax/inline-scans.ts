import type { InlineState } from './inline-state.ts';
import { maxInlineSpan } from './limits.ts';

/** Parsers of inline code and line ends. */

export function readCode(state: InlineState): void {
  const { source, unfinished, position } = state;
  let open = position;
  while (source[open] === '`') open += 1;
  const at = state.nextTicks(open - position, open);
  const end = at + open - position;
  const limit = Math.min(source.length, open + maxInlineSpan);
  if (at < limit && (end < source.length || !unfinished)) {
    addCode(state, source.slice(open, at));
    state.position = end;
  } else if (unfinished && limit === source.length) {
    const unclosed = source.slice(open).replace(/`+$/, '');
    if (unclosed.trim()) addCode(state, unclosed);
    state.holdBack();
  } else {
    state.list.text(source.slice(position, open));
    state.position = open;
  }
}

function addCode({ list }: InlineState, raw: string): void {
  const text = raw.replaceAll('\n', ' ');
  const padded = text.startsWith(' ') && text.endsWith(' ') && text.trim() !== '';
  list.add({ kind: 'code', text: padded ? text.slice(1, -1) : text, depth: 0 });
}

/** Syntax after which the next text starts on a new line anyway: a `<br>` or a display formula. */
const endsLine = /(?:<br\s*\/?>|\$\$|\\\]|\\end\{[a-z]+\*?\})[ \t]*$/i;

/** Length of the text before a line end in which `endsLine` is searched, in characters. */
const lookBehind = 20;

/**
 * Parses the end of a line. The line end becomes a line feed in the text, which the style sheet shows
 * as a line break: models write addresses, signatures and poems in lines, and don't wrap lines of
 * prose. CommonMark lets the renderer choose (section 6.8, soft line breaks).
 *
 * @param hard - Whether it is a hard line break.
 */
export function readLineEnd(state: InlineState, hard = false): void {
  const { list, source, position } = state;
  const { last } = list;
  let isBreak = hard;
  if (last?.kind === 'text' && !hard) {
    isBreak = last.text.endsWith('  ');
    last.text = last.text.replace(/[ \t]+$/, '');
  }
  state.position += 1;
  if (isBreak) list.add({ kind: 'break', text: '', depth: 0 });
  else {
    const before = source.slice(Math.max(0, position - lookBehind), position);
    list.text(endsLine.test(before) ? ' ' : '\n');
  }
  while (/[ \t]/.test(source[state.position] ?? '')) state.position += 1;
}
