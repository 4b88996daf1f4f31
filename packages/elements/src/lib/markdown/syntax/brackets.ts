import { extras } from '../extras.ts';
import type { Reference } from './blocks.ts';
import type { Delimiter } from './emphasis.ts';
import type { InlineState } from './inline-state.ts';
import { depthBetween, type Inline, plainText } from './inlines.ts';
import { normalizeLabel, scanLabel } from './labels.ts';
import { maxInlineDepth, maxInlineSpan, maxLabel } from './limits.ts';
import { scanPlainTail } from './plain-link.ts';

/** `[`, `![` or an HTML start tag that is not closed yet. */
interface Bracket {
  readonly node: Inline;
  /** Index of its first character. */
  readonly start: number;
  /** Index of its last character; for a tag, of its first character. */
  readonly position: number;
  readonly image: boolean;
  /** Name of the element of a tag. */
  readonly tag: string | undefined;
  /** Kind of the inline node for the element of a tag. */
  readonly kind: Inline['kind'] | undefined;
  /** The last delimiter run before the bracket. */
  readonly delimiters: Delimiter | undefined;
  previous: Bracket | undefined;
  /** Whether it contains a link, so that it can't become a link. */
  containsLink: boolean;
  /** Index of its closing bracket or tag, or of the closing bracket of a link that it contains. */
  endedAt: number;
  /** Whether it contains another bracket, so that its text is not a label. */
  containsBracket: boolean;
}

interface Target {
  readonly end: number;
  readonly value: Reference;
}

/** Stands for a citation mark in brackets, which is not shown. */
const hiddenNote: Reference = { href: '', title: undefined, note: '^', pending: true };

/** Maximum length in characters of an incomplete link. A longer unclosed bracket is text. */
const maxUnclosedLink = 200;

/** Stack of brackets that may become links, images or footnotes, and of open HTML elements. */
export class Brackets {
  readonly #state: InlineState;
  #last: Bracket | undefined;
  /** All brackets and tags, including closed ones. */
  readonly #all: Bracket[] = [];

  constructor(state: InlineState) {
    this.#state = state;
  }

  /** Opens `[` or, with a length of 2, `![`. */
  open(length: number): void {
    const state = this.#state;
    const outer = this.#innermost()?.bracket;
    if (outer) outer.containsBracket = true;
    const start = state.position;
    state.list.text(state.source.slice(start, start + length));
    state.position += length;
    this.#push(start, start + length - 1, length === 2);
  }

  /** Opens an inline element by a tag of `length` characters. */
  openTag(name: string, kind: Inline['kind'] | undefined, length: number): void {
    const state = this.#state;
    const start = state.position;
    state.list.text('');
    state.position += length;
    this.#push(start, start, false, name, kind);
  }

  #push(
    start: number,
    position: number,
    image: boolean,
    tag?: string,
    kind?: Inline['kind'],
  ): void {
    const { list, delimiters } = this.#state;
    const node = list.last as Inline;
    const bracket: Bracket = {
      node,
      start,
      position,
      image,
      tag,
      kind,
      delimiters: delimiters.last,
      previous: this.#last,
      containsLink: false,
      endedAt: Number.POSITIVE_INFINITY,
      containsBracket: false,
    };
    this.#last = bracket;
    this.#all.push(bracket);
  }

  /** The innermost bracket that is not a tag, and the tags inside it. */
  #innermost(): { bracket: Bracket; inside: Bracket[] } | undefined {
    const inside: Bracket[] = [];
    for (let bracket = this.#last; bracket; bracket = bracket.previous) {
      if (!bracket.tag) return { bracket, inside };
      if (this.#state.position - bracket.position > maxInlineSpan) return undefined;
      inside.push(bracket);
    }
    return undefined;
  }

  close(): void {
    const state = this.#state;
    const { bracket, inside } = this.#innermost() ?? {};
    const at = state.position;
    if (!bracket || !inside) {
      state.take(1);
      return;
    }
    bracket.endedAt = Math.min(bracket.endedAt, at);
    const canBeLink = !bracket.containsLink && at - bracket.position <= maxInlineSpan;
    const target = canBeLink ? this.#target(bracket, at) : undefined;
    if (target === 'open') {
      state.holdBack(bracket.start);
      return;
    }
    if (target) this.#wrapTags(inside);
    const depth = target ? depthBetween(bracket.node, undefined) + 1 : 0;
    if (!target || depth > maxInlineDepth) {
      this.#remove(bracket, target ? [] : inside);
      state.take(1);
      return;
    }
    state.delimiters.resolve(bracket.delimiters);
    state.delimiters.removeAfter(bracket.delimiters);
    this.#wrap(bracket, target.value, depth);
    this.#last = bracket.previous;
    state.position = target.end;
    if (bracket.image || target.value.note) return;
    for (let outer = this.#last; outer && !outer.containsLink; outer = outer.previous) {
      if (outer.image || outer.tag) continue;
      outer.containsLink = true;
      outer.endedAt = at;
    }
  }

  /** Closes the innermost element with this name, and the open elements inside it. */
  closeTag(name: string): void {
    const { position } = this.#state;
    const inside: Bracket[] = [];
    for (let open = this.#last; open; open = open.previous) {
      if (position - open.position > maxInlineSpan) return;
      if (open.tag) inside.push(open);
      if (open.tag !== name) continue;
      this.#wrapTags(inside);
      for (let ended = this.#last; ended !== open.previous; ended = ended?.previous) {
        if (ended) ended.endedAt = Math.min(ended.endedAt, position);
      }
      this.#last = open.previous;
      return;
    }
  }

  /** Closes all open elements at the end of the text. */
  closeTags(): void {
    const { position } = this.#state;
    const open: Bracket[] = [];
    for (let tag = this.#last; tag; tag = tag.previous) {
      if (position - tag.position > maxInlineSpan) break;
      if (tag.tag) open.push(tag);
    }
    this.#wrapTags(open);
  }

  /** Wraps the content of elements, from the innermost to the outermost. */
  #wrapTags(tags: readonly Bracket[]): void {
    const { list, delimiters } = this.#state;
    let isTooDeep = false;
    for (const { node, kind, delimiters: bottom } of tags) {
      delimiters.resolve(bottom);
      delimiters.removeAfter(bottom);
      if (isTooDeep) continue;
      const depth = depthBetween(node, undefined) + 1;
      isTooDeep = depth > maxInlineDepth;
      if (kind && node.next && !isTooDeep) list.wrap(node, undefined, { kind, text: '', depth });
    }
  }

  /**
   * Index of the first bracket that is open at `limit` and can still be closed; `limit` if there is
   * none.
   */
  firstOpen(limit: number): number {
    const open = this.#all.find(
      ({ start, position, endedAt }) =>
        start < limit && endedAt >= limit && limit - position <= maxInlineSpan,
    );
    return open?.start ?? limit;
  }

  /** Hides the brackets of unclosed links, and unclosed images and footnote references completely. */
  hideUnclosed(): void {
    const end = this.#state.source.length;
    for (let bracket = this.#last; bracket; bracket = bracket.previous) {
      if (end - bracket.position > maxUnclosedLink) return;
      if (bracket.containsLink || bracket.tag) continue;
      bracket.node.text = '';
      const text = this.#state.source.slice(bracket.position + 1);
      if (!bracket.image && !extras()?.startsCitationLabel(text)) continue;
      for (let node = bracket.node.next; node; node = node.next) {
        node.text = '';
        node.first = undefined;
      }
    }
  }

  /** Removes a bracket from the stack, because it is plain text. The tags inside it stay open. */
  #remove(bracket: Bracket, inside: readonly Bracket[]): void {
    const after = inside.at(-1);
    if (after) after.previous = bracket.previous;
    else this.#last = bracket.previous;
  }

  #target(bracket: Bracket, at: number): Target | 'open' | undefined {
    const { source, unfinished, reference } = this.#state;
    const after = source[at + 1];
    if (after === undefined && unfinished) return 'open';
    if (after === '(') {
      const tail = (extras()?.scanLinkTail ?? scanPlainTail)(source, at + 1);
      if (tail === 'open' && unfinished) return 'open';
      if (tail && tail !== 'open') return tail;
    }
    let label = source.slice(bracket.position + 1, at);
    // `[text][label]` is certainly a link, and shown as one before its definition has arrived, unless it
    // looks like an array element (`m[i][j]`) or like the numbers of two sources (`[1][2]`).
    const isExplicit = !/\w/.test(source[bracket.start - 1] ?? '') && !/^\d+$/.test(label);
    let end = at + 1;
    const isMark = extras()?.isCitationLabel(label);
    if (after === '[' && source[bracket.position + 1] !== '^' && !isMark) {
      const scanned = source[at + 2] === ']' ? undefined : scanLabel(source, at + 1);
      if ((scanned === 'open' || source[at + 2] === undefined) && unfinished) return 'open';
      // A second bracket with a caret is a footnote reference rather than a label.
      if (scanned && scanned !== 'open' && !scanned.value.startsWith('^')) {
        label = scanned.value;
        end = scanned.end;
        const value = reference(normalizeLabel(label), isExplicit);
        return value && { end, value };
      }
      if (source[at + 2] === ']') end = at + 3;
    }
    if (bracket.containsBracket || label.length > maxLabel || !label.trim()) return undefined;
    const value =
      reference(normalizeLabel(label), isExplicit && end > at + 1) ??
      (isMark ? hiddenNote : undefined);
    return value && { end, value };
  }

  #wrap(bracket: Bracket, { href, title, note, pending }: Reference, depth: number): void {
    const { list } = this.#state;
    const { node } = bracket;
    // In `![^1]`, the exclamation mark is text.
    node.text = note && bracket.image ? '!' : '';
    if (pending && (note || bracket.image)) {
      const hidden: Inline = { kind: 'text', text: '', depth: 0 };
      list.wrap(node, undefined, hidden);
      hidden.first = undefined;
    } else if (note) {
      const mark: Inline = { kind: 'note', text: note, depth: 0 };
      list.wrap(node, undefined, mark);
      mark.first = undefined;
    } else if (bracket.image) {
      const image: Inline = { kind: 'image', text: plainText(node.next), href, title, depth: 0 };
      list.wrap(node, undefined, image);
      image.first = undefined;
    } else {
      list.wrap(node, undefined, { kind: 'link', text: '', href, title, depth });
    }
  }
}
