import type { Reference } from './blocks.ts';
import type { Delimiter } from './emphasis.ts';
import type { InlineState } from './inline-state.ts';
import { depthBetween, type Inline, plainText } from './inlines.ts';
import { maxInlineDepth, maxInlineSpan, maxLabel } from './limits.ts';
import { normalizeLabel, scanLabel } from './link-syntax.ts';
import { scanLinkTail } from './link-tail.ts';

interface Bracket {
  readonly node: Inline;
  readonly position: number;
  readonly image: boolean;
  /** The last delimiter before the bracket. */
  readonly delimiters: Delimiter | undefined;
  readonly previous: Bracket | undefined;
  /** A link was made of what is inside: the bracket can't be one too. */
  spent: boolean;
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

  constructor(state: InlineState) {
    this.#state = state;
  }

  /** `[` or, two characters long, `![`. */
  open(length: number): void {
    const state = this.#state;
    if (this.#last) this.#last.nested = true;
    const position = state.position + length - 1;
    state.take(length);
    this.#last = {
      node: state.list.last as Inline,
      position,
      image: length === 2,
      delimiters: state.delimiters.last,
      previous: this.#last,
      spent: false,
      nested: false,
    };
  }

  close(): void {
    const state = this.#state;
    const bracket = this.#last;
    const at = state.position;
    if (!bracket) {
      state.take(1);
      return;
    }
    if (bracket.spent || at - bracket.position > maxInlineSpan) {
      this.#giveUp(bracket);
      return;
    }
    const target = this.#target(bracket, at);
    if (target === 'open') {
      state.stop();
      return;
    }
    const depth = target ? depthBetween(bracket.node, undefined) + 1 : 0;
    if (!target || depth > maxInlineDepth) {
      this.#giveUp(bracket);
      return;
    }
    state.delimiters.resolve(bracket.delimiters);
    state.delimiters.cut(bracket.delimiters);
    this.#wrap(bracket, target.value, depth);
    this.#last = bracket.previous;
    state.position = target.end;
    if (bracket.image || target.value.note) return;
    for (let outer = this.#last; outer && !outer.spent; outer = outer.previous) {
      if (!outer.image) outer.spent = true;
    }
  }

  /** Whether a bracket before `at` may still become something. */
  isOpen(at: number): boolean {
    return this.#last !== undefined && at - this.#last.position <= maxInlineSpan;
  }

  /** Shows the text of half a link without its bracket, and nothing of half a picture. */
  showKindly(): void {
    const end = this.#state.source.length;
    for (let bracket = this.#last; bracket; bracket = bracket.previous) {
      if (bracket.spent || end - bracket.position > maxHalfLink) continue;
      bracket.node.text = '';
      if (!bracket.image) continue;
      for (let node = bracket.node.next; node; node = node.next) {
        node.text = '';
        node.first = undefined;
      }
    }
  }

  #giveUp(bracket: Bracket): void {
    this.#last = bracket.previous;
    this.#state.take(1);
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
    return found && !(found.note && bracket.image) ? { end, value: found } : undefined;
  }

  #wrap(bracket: Bracket, { href, title, note }: Reference, depth: number): void {
    const { list } = this.#state;
    const { node } = bracket;
    node.text = '';
    if (note) {
      const mark: Inline = { kind: 'note', text: String(note), depth: 0 };
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
