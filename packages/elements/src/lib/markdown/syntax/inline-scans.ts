import { entity, entityText } from './entities.ts';
import type { InlineState } from './inline-state.ts';
import type { Inline } from './inlines.ts';
import { maxInlineSpan } from './limits.ts';
import { scanMath } from './math-syntax.ts';

/** What each mark that stands for itself is read by: code, formulas, angle brackets, entities, line ends. */

const angleLink = /<(?:([a-z][a-z\d+.-]{1,31}:[^\s<>]*)|([\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d.-]+))>/iy;
const tag = /<(?:\/?[a-z][a-z\d-]*(?:[\s/][^<>]{0,1024})?|[!?][^<>]{0,1024})>/iy;
const halfTag = /<(?:\/?[a-z][a-z\d-]*(?:[\s/][^<>]{0,1024})?|[!?][^<>]{0,1024})$/iy;

/** Half a formula this long is shown as the text that it may be. */
const maxHalfFormula = 200;

export function readCode(state: InlineState): void {
  const { source, unfinished } = state;
  let open = state.position;
  while (source[open] === '`') open += 1;
  const length = open - state.position;
  const limit = Math.min(source.length, open + maxInlineSpan);
  for (let at = source.indexOf('`', open); at >= 0 && at < limit; at = source.indexOf('`', at)) {
    let end = at;
    while (source[end] === '`') end += 1;
    if (end - at === length && (end < source.length || !unfinished)) {
      addCode(state, source.slice(open, at));
      state.position = end;
      return;
    }
    at = end;
  }
  if (unfinished && limit === source.length) {
    const half = source.slice(open).replace(/`+$/, '');
    if (half.trim()) addCode(state, half);
    state.stop();
  } else state.take(length);
}

function addCode({ list }: InlineState, raw: string): void {
  const text = raw.replaceAll('\n', ' ');
  const padded = text.startsWith(' ') && text.endsWith(' ') && text.trim() !== '';
  list.add({ kind: 'code', text: padded ? text.slice(1, -1) : text, depth: 0 });
}

/** A formula at the position. False where none begins here. */
export function readMath(state: InlineState): boolean {
  const { source, position, unfinished } = state;
  const formula = scanMath(state);
  if (!formula) return false;
  if (formula !== 'open') {
    const { text, display } = formula.value;
    state.list.add({ kind: 'math', text, display, depth: 0 });
    state.position = formula.end;
    return true;
  }
  if (!unfinished) return false;
  // A single dollar is a price more often than half a formula.
  const rest = source.slice(position);
  if (/^(?:\$\$?|\\[([])$/.test(rest)) state.stop();
  else if (rest.length <= maxHalfFormula && !/^\$[^$]/.test(rest)) {
    state.list.add({ kind: 'math', text: rest, half: true, depth: 0 });
    state.stop();
  } else {
    state.openMath = position;
    return false;
  }
  return true;
}

export function readAngle(state: InlineState): void {
  const { source, position, list } = state;
  angleLink.lastIndex = position;
  const link = angleLink.exec(source);
  if (link) {
    const text = link[1] ?? link[2] ?? '';
    addLink(state, text, link[2] ? `mailto:${text}` : text);
    state.position = angleLink.lastIndex;
    return;
  }
  tag.lastIndex = position;
  const html = tag.exec(source)?.[0];
  if (html) {
    if (/^<br *\/?>$/i.test(html)) list.add({ kind: 'break', text: '', depth: 0 });
    else list.text(html);
    state.position += html.length;
    return;
  }
  halfTag.lastIndex = position;
  if (state.unfinished && halfTag.test(source)) state.take(source.length - position);
  else state.take(1);
}

export function addLink({ list }: InlineState, text: string, href: string): void {
  const label: Inline = { kind: 'text', text, depth: 0 };
  list.add({ kind: 'link', text: '', href, first: label, depth: 1 });
}

export function readEntity(state: InlineState): void {
  const { source, position } = state;
  entity.lastIndex = position;
  const match = entity.exec(source);
  const text = match && entityText(match[1], match[2], match[3]);
  if (match && text !== undefined) {
    state.list.text(text ?? '');
    state.position = entity.lastIndex;
  } else if (
    state.unfinished &&
    /^&#?[a-z\d]{0,31}$/i.test(source.slice(position, position + 40))
  ) {
    state.stop();
  } else state.take(1);
}

export function readLineEnd(state: InlineState, hard = false): void {
  const { list, source } = state;
  const { last } = list;
  let isBreak = hard;
  if (last?.kind === 'text' && !hard) {
    isBreak = last.text.endsWith('  ');
    last.text = last.text.replace(/[ \t]+$/, '');
  }
  state.position += 1;
  if (isBreak) list.add({ kind: 'break', text: '', depth: 0 });
  else list.text('\n');
  while (/[ \t]/.test(source[state.position] ?? '')) state.position += 1;
}
