import type { Reference } from './blocks.ts';
import type { Delimiter } from './emphasis.ts';
import type { InlineState } from './inline-state.ts';
import { depthBetween, type Inline, plainText } from './inlines.ts';
import { maxInlineDepth, maxInlineSpan, maxLabel } from './limits.ts';
import { normalizeLabel, scanLabel } from './link-syntax.ts';
import { scanLinkTail } from './link-tail.ts';

/** `[`, `![` or an HTML tag that may yet be closed. */
interface Bracket {
  readonly node: Inline;
  /** Index of its first character. */
  readonly start: number;
  /** Index of the last one. */
  readonly position: number;
  readonly image: boolean;
  /** Name of the element that a tag opens. */
  readonly tag: string | undefined;
  /** What that element marks its text as. */
  readonly kind: Inline['kind'] | undefined;
  /** The last delimiter before the bracket. */
  readonly delimiters: Delimiter | undefined;
  previous: Bracket | undefined;
  /** A link was made of what is inside: the bracket can't be one too. */
  spent: boolean;
  /** Index of what ended it: its closing mark, or the link that it can't be part of. */
  endedAt: number;
  /** Another bracket opened after it, so its text is not a label. */
  nested: boolean;
}

interface Target {
  readonly end: number;
  readonly value: Reference;
}

/** A half-open bracket this far back is a bracket rather than a link on its way. */
const maxHalfLink = 200;

/** The brackets that may yet become links, pictures or footnotes, the innermost last. */
export class Brackets {
  readonly #state: InlineState;
  #last: Bracket | undefined;
  /** All that were opened. */
  readonly #all: Bracket[] = [];

  constructor(state: InlineState) {
    this.#state = state;
  }

  /** `[` or, two characters long, `![`. */
  open(length: number): void {
    const state = this.#state;
    const outer = this.#innermost()?.bracket;
    if (outer) outer.nested = true;
    const start = state.position;
    state.take(length);
    this.#push(start, start + length - 1, length === 2);
  }

  /** The tag of an element that marks text, `length` characters long. */
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
      spent: false,
      endedAt: Number.POSITIVE_INFINITY,
      nested: false,
    };
    this.#last = bracket;
    this.#all.push(bracket);
  }

  /** The innermost bracket that is no tag, and what is inside it. */
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
    const mayBe = !bracket.spent && at - bracket.position <= maxInlineSpan;
    const target = mayBe ? this.#target(bracket, at) : undefined;
    if (target === 'open') {
      state.stop(bracket.start);
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
    state.delimiters.cut(bracket.delimiters);
    this.#wrap(bracket, target.value, depth);
    this.#last = bracket.previous;
    state.position = target.end;
    if (bracket.image || target.value.note) return;
    for (let outer = this.#last; outer && !outer.spent; outer = outer.previous) {
      if (outer.image || outer.tag) continue;
      outer.spent = true;
      outer.endedAt = at;
    }
  }

  /** Closes the innermost element of this name. The elements that are open in it are closed with it. */
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

  /** Closes every element that is open at the end of the text. */
  closeTags(): void {
    const { position } = this.#state;
    const open: Bracket[] = [];
    for (let tag = this.#last; tag; tag = tag.previous) {
      if (position - tag.position > maxInlineSpan) break;
      if (tag.tag) open.push(tag);
    }
    this.#wrapTags(open);
  }

  /** Closes elements here, the innermost first. */
  #wrapTags(tags: readonly Bracket[]): void {
    const { list, delimiters } = this.#state;
    let isTooDeep = false;
    for (const { node, kind, delimiters: bottom } of tags) {
      delimiters.resolve(bottom);
      delimiters.cut(bottom);
      if (isTooDeep) continue;
      const depth = depthBetween(node, undefined) + 1;
      isTooDeep = depth > maxInlineDepth;
      if (kind && node.next && !isTooDeep) list.wrap(node, undefined, { kind, text: '', depth });
    }
  }

  /** Index of the first bracket that was still open at `limit`, and that a later mark can close. */
  firstOpen(limit: number): number {
    const open = this.#all.find(
      ({ start, position, endedAt }) =>
        start < limit && endedAt >= limit && limit - position <= maxInlineSpan,
    );
    return open?.start ?? limit;
  }

  /** Shows the text of half a link without its bracket, and nothing of half a picture. */
  showKindly(): void {
    const end = this.#state.source.length;
    for (let bracket = this.#last; bracket; bracket = bracket.previous) {
      if (end - bracket.position > maxHalfLink) return;
      if (bracket.spent || bracket.tag) continue;
      bracket.node.text = '';
      if (!bracket.image) continue;
      for (let node = bracket.node.next; node; node = node.next) {
        node.text = '';
        node.first = undefined;
      }
    }
  }

  /** Takes a bracket out, for it is text. The tags inside it stay open. */
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
      const tail = scanLinkTail(source, at + 1);
      if (tail === 'open' && unfinished) return 'open';
      if (tail && tail !== 'open') return tail;
    }
    let label = source.slice(bracket.position + 1, at);
    let end = at + 1;
    if (after === '[' && source[bracket.position + 1] !== '^') {
      const scanned = source[at + 2] === ']' ? undefined : scanLabel(source, at + 1);
      if ((scanned === 'open' || source[at + 2] === undefined) && unfinished) return 'open';
      // What follows may be a footnote of its own.
      if (scanned && scanned !== 'open' && !scanned.value.startsWith('^')) {
        label = scanned.value;
        end = scanned.end;
        const found = reference(normalizeLabel(label));
        return found && { end, value: found };
      }
      if (source[at + 2] === ']') end = at + 3;
    }
    if (bracket.nested || label.length > maxLabel || !label.trim()) return undefined;
    const found = reference(normalizeLabel(label));
    return found && { end, value: found };
  }

  #wrap(bracket: Bracket, { href, title, note }: Reference, depth: number): void {
    const { list } = this.#state;
    const { node } = bracket;
    // Before a footnote, the mark of a picture is an exclamation mark.
    node.text = note && bracket.image ? '!' : '';
    if (note) {
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
