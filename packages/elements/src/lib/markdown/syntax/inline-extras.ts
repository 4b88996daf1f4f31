import type { InlineTags } from '../extras.ts';
import { findAutolink, findMailWithUnderscore } from './autolinks.ts';
import { readCitationElement, readCitationMark } from './citation-syntax.ts';
import { entity, entityText } from './entities.ts';
import { inlineElements, isKnownTag, scanTag, startsKnownTag } from './html-syntax.ts';
import type { InlineState } from './inline-state.ts';
import type { Inline } from './inlines.ts';
import { maxInlineSpan, maxLinkPart } from './limits.ts';
import { mayBeFormula, scanMath } from './math-syntax.ts';

/** Parsers of autolinks, formulas, angle brackets and character references. */

const angleLink = new RegExp(
  `<(?:([a-z][a-z\\d+.-]{1,31}:[^\\s<>]{0,${maxLinkPart}})|([\\w.!#$%&'*+/=?^\`{|}~-]{1,64}@[a-z\\d.-]{1,255}))>`,
  'iy',
);
const incompleteAngleLink = new RegExp(
  `<(?:[a-z][a-z\\d+.-]{0,31}|[a-z][a-z\\d+.-]{1,31}:[^\\s<>]{0,${maxLinkPart}}|[\\w.!#$%&'*+/=?^\`{|}~-]{1,64}(?:@[a-z\\d.-]{0,255})?)$`,
  'iy',
);
const declaration = /<[!?][^<>]{0,1024}>/iy;

/**
 * Maximum length in characters of an unclosed formula, or of an unclosed autolink in angle brackets.
 * Longer ones are shown as text.
 */
const maxUnclosed = 500;

/** Parses plain text up to an autolink, and the autolink. Returns false if there is no autolink. */
export function readAutolink(state: InlineState, from: number, to: number): boolean {
  const { source } = state;
  const link =
    findAutolink(state, from, to) ??
    (source[to] === '_' ? findMailWithUnderscore(state, from, to) : undefined);
  if (!link) return false;
  if (link.start > from) state.take(link.start - from);
  if (link.href === undefined) state.take(link.end - link.start);
  else {
    addLink(state, source.slice(link.start, link.end), link.href);
    state.position = link.end;
  }
  return true;
}

/** Parses a formula at the position. Returns false if there is no formula. */
export function readMath(state: InlineState): boolean {
  const { source, position, unfinished } = state;
  const formula = scanMath(state);
  if (!formula) return false;
  if (formula !== 'open') {
    const { text, display } = formula.value;
    const raw = source.slice(position, formula.end);
    state.list.add({ kind: 'math', text, display, raw, depth: 0 });
    state.position = formula.end;
    return true;
  }
  if (!unfinished) return false;
  // An incomplete formula is not shown, because its source would be replaced later.
  const rest = source.slice(position, position + maxUnclosed + 1);
  if (rest.length <= maxUnclosed && mayBeFormula(rest)) {
    state.holdBack();
    return true;
  }
  state.markUnsettled(position);
  return false;
}

/** Parses a citation mark at the position. Returns false if there is none. */
export function readMark(state: InlineState): boolean {
  const content = readCitationMark(state);
  if (!content) return false;
  const { text, href } = content;
  if (href) addLink(state, text || href, href);
  else state.list.text(text);
  return true;
}

export function readAngle(state: InlineState, tags: InlineTags): void {
  const { source, position, list } = state;
  if (readCitationElement(state)) return;
  angleLink.lastIndex = position;
  const link = angleLink.exec(source);
  if (link) {
    const text = link[1] ?? link[2] ?? '';
    addLink(state, text, link[2] ? `mailto:${text}` : text);
    state.position = angleLink.lastIndex;
    return;
  }
  if (source.startsWith('!--', position + 1)) {
    readComment(state);
    return;
  }
  const tag = scanTag(source, position);
  if (tag && tag !== 'open') {
    const { end, value } = tag;
    if (value.name === 'br' && !value.closing) list.add({ kind: 'break', text: '', depth: 0 });
    else if (!isKnownTag(value.name)) list.text(source.slice(position, end));
    else if (value.closing) {
      tags.closeTag(value.name);
      list.text('');
    } else if (value.name in inlineElements) {
      tags.openTag(value.name, inlineElements[value.name], end - position);
      return;
    } else list.text('');
    state.position = end;
    return;
  }
  declaration.lastIndex = position;
  const declared = declaration.exec(source)?.[0];
  if (declared) {
    list.text(declared);
    state.position += declared.length;
  } else readUnclosedAngle(state, tag === 'open');
}

/** Parses an angle bracket that is text, or whose closing bracket has not arrived. */
function readUnclosedAngle(state: InlineState, isIncompleteTag: boolean): void {
  const { source, position, unfinished } = state;
  incompleteAngleLink.lastIndex = position;
  const isIncompleteLink = unfinished && incompleteAngleLink.test(source);
  if (isIncompleteLink && source.length - position <= maxUnclosed) {
    state.holdBack();
    return;
  }
  if (unfinished && isIncompleteTag) {
    const [, name = '', rest = ''] =
      /^<\/?([a-z\d-]*)(.?)/i.exec(source.slice(position, position + 20)) ?? [];
    const isKnown = rest ? isKnownTag(name.toLowerCase()) : startsKnownTag(name.toLowerCase());
    if (isKnown) {
      state.holdBack();
      return;
    }
    state.markUnsettled(position);
    state.take(source.length - position);
    return;
  }
  if (unfinished && /^<(?:!-?)?$/.test(source.slice(position, position + 4))) {
    state.holdBack();
    return;
  }
  if (isIncompleteLink) state.markUnsettled(position);
  if (
    unfinished &&
    source.length - position < 1_026 &&
    /^<[!?][^<>]*$/.test(source.slice(position))
  ) {
    state.markUnsettled(position);
  }
  state.take(1);
}

/** Parses a comment, which is omitted. An unclosed comment is text. */
function readComment(state: InlineState): void {
  const { source, position, unfinished } = state;
  const short = /^<!--(?:>|->)/.exec(source.slice(position, position + 6))?.[0];
  const end = short ? position + short.length : state.next('-->', position + 4) + 3;
  if (end <= position + maxInlineSpan) {
    state.list.text('');
    state.position = end;
  } else if (unfinished && source.length <= position + maxInlineSpan) state.holdBack();
  else state.take(1);
}

function addLink({ list }: InlineState, text: string, href: string): void {
  const label: Inline = { kind: 'text', text, depth: 0 };
  // Browsers treat a backslash in a URL as a slash.
  const address = href.replaceAll('\\', '%5C');
  list.add({ kind: 'link', text: '', href: address, first: label, depth: 1 });
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
    /^&#?[a-z\d]{0,32}$/i.test(source.slice(position, position + 40))
  ) {
    state.holdBack();
  } else state.take(1);
}
