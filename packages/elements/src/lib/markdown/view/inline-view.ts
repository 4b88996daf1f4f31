import { directionOf } from '../../untrusted-text.ts';
import type { Reference } from '../syntax/blocks.ts';
import type { InlineResult } from '../syntax/inline-parser.ts';
import { InlineText } from '../syntax/inline-text.ts';
import { maxRenderedFormulas } from '../syntax/limits.ts';
import type { InlineContext } from './block-view.ts';
import { type Piece, renderInlines } from './render-inline.ts';

/**
 * Maximum length of a text in which each line has its own direction (`unicode-bidi: plaintext`), in
 * characters. Longer text has one direction, because browsers determine the directions of all lines
 * again when text is appended.
 */
const maxPlaintext = 5_000;

/**
 * A label that models give a footnote. Other text in brackets with a caret can be a regular expression
 * such as `[^abc]`.
 */
const noteLabel = /^\^\d{1,3}$/;

/** A footnote, or a link with an explicit label, whose definition may still follow. */
function pendingReference(label: string, isExplicit = false): Reference | undefined {
  const base = { href: '', title: undefined, pending: true };
  if (noteLabel.test(label)) return { ...base, note: label };
  return isExplicit ? base : undefined;
}

/**
 * Inline content of a block, to which text can be appended. The DOM of content that later text can't
 * change is settled, and does not change; only the rest, the tail, is rendered again.
 */
export class InlineView {
  readonly #parent: Element;
  readonly #context: InlineContext;
  /** The complete text, which is rendered again when a reference is defined later. */
  #source = '';
  readonly #text = new InlineText();
  #complete = false;
  /** The last settled node. If it is a text node, it may also contain text of the tail. */
  #anchor: Node | null;
  /** Length of the settled text in the anchor. */
  #anchorLength = 0;
  /** The node before the content. */
  readonly #origin: Node | null;
  #appendedLength = 0;
  /** Labels without a definition. */
  readonly #missing = new Set<string>();
  /** The missing labels that `takeMissing` has not returned yet. */
  #newlyMissing: string[] = [];
  #needsEntities = false;
  /** Whether references are rendered as pending, so that they may change when the document is complete. */
  hasPending = false;
  /** Number of formulas in the settled content. */
  #settledFormulas = 0;

  constructor(parent: Element, context: InlineContext) {
    this.#parent = parent;
    this.#context = context;
    this.#origin = parent.lastChild;
    this.#anchor = this.#origin;
  }

  /** Appends text. Sets a single direction for the whole text when it exceeds `maxPlaintext`. */
  append(text: string): void {
    this.#source += text;
    this.#text.append(text);
    const previous = this.#appendedLength;
    this.#appendedLength += text.length;
    if (previous > maxPlaintext || this.#appendedLength <= maxPlaintext) return;
    const direction = directionOf(this.#source.slice(0, maxPlaintext));
    this.#parent.classList.add('one-direction');
    const outer = this.#parent.closest('[dir]')?.getAttribute('dir');
    // The text of a right-to-left list has the direction of the list.
    if (direction === 'rtl' || (direction && outer !== 'rtl'))
      this.#parent.setAttribute('dir', direction);
  }

  /** Marks the text as complete. */
  complete(): void {
    this.#complete = true;
  }

  /** Number of characters that `renderAgain` parses. */
  get length(): number {
    return this.#source.length;
  }

  /** Whether the text contains named character references whose table is not loaded. */
  get needsEntities(): boolean {
    return this.#needsEntities;
  }

  /** Returns the labels without a definition that were found since the last call. */
  takeMissing(): readonly string[] {
    const labels = this.#newlyMissing;
    this.#newlyMissing = [];
    return labels;
  }

  /** Renders the complete text again, after a definition was added. */
  renderAgain(): void {
    this.#text.replace(this.#source);
    this.#anchor = this.#origin;
    this.#anchorLength = 0;
    this.#missing.clear();
    this.#settledFormulas = 0;
    this.#needsEntities = false;
    this.hasPending = false;
    this.render();
  }

  render(): void {
    const result = this.#text.parse({
      complete: this.#complete,
      reference: (label, isExplicit) => {
        const reference = this.#context.reference(label);
        if (!reference && !this.#missing.has(label)) {
          this.#missing.add(label);
          this.#newlyMissing.push(label);
        }
        if (reference || this.#context.isComplete()) return reference;
        const pending = pendingReference(label, isExplicit);
        this.hasPending ||= pending !== undefined;
        return pending;
      },
    });
    const { settled, tail } = this.#renderParts(result);
    this.#show(settled, tail);
    this.#needsEntities ||= result.needsEntities;
    if (this.#complete && this.#missing.size === 0 && !this.#needsEntities) this.#source = '';
  }

  #renderParts({ first, settled }: InlineResult): { settled: Piece[]; tail: Piece[] } {
    let formulas = this.#settledFormulas;
    const takeFormula = () => {
      formulas += 1;
      return formulas <= maxRenderedFormulas;
    };
    const options = { ...this.#context, takeFormula };
    if (!settled) return { settled: [], tail: renderInlines(first, options) };
    const pieces = renderInlines(first, options, settled);
    this.#settledFormulas = formulas;
    return { settled: pieces, tail: renderInlines(settled.next, options) };
  }

  /** Replaces the tail. Text after a settled text node is appended to that node in one step. */
  #show(settled: readonly Piece[], tail: readonly Piece[]): void {
    while (this.#parent.lastChild && this.#parent.lastChild !== this.#anchor) {
      this.#parent.lastChild.remove();
    }
    const pieces: Piece[] = [...settled, ...tail];
    let text = '';
    let index = 0;
    if (this.#anchor instanceof Text) {
      while (typeof pieces[index] === 'string') {
        text += pieces[index];
        index += 1;
      }
      const oldLength = this.#anchor.length - this.#anchorLength;
      if (oldLength > 0 || text) this.#anchor.replaceData(this.#anchorLength, oldLength, text);
      const settledText = settled.slice(0, index).join('');
      this.#anchorLength += settledText.length;
    }
    this.#appendPieces(pieces, index, settled.length);
  }

  #appendPieces(pieces: readonly Piece[], from: number, settledCount: number): void {
    for (let index = from; index < pieces.length; index += 1) {
      const piece = pieces[index] as Piece;
      const last = this.#parent.lastChild;
      const isSettled = index < settledCount;
      if (typeof piece !== 'string') {
        this.#parent.append(piece);
      } else if (index > from && last instanceof Text) {
        last.appendData(piece);
      } else {
        this.#parent.append(document.createTextNode(piece));
      }
      if (isSettled) {
        this.#anchor = this.#parent.lastChild;
        this.#anchorLength = typeof piece === 'string' ? piece.length : 0;
      }
    }
  }
}
