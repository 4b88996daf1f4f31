import type { Reference } from '../syntax/blocks.ts';
import type { InlineResult } from '../syntax/inline-parser.ts';
import { InlineText } from '../syntax/inline-text.ts';
import { maxDrawnFormulas } from '../syntax/limits.ts';
import { directionOf } from './direction.ts';
import { type Piece, renderInlines } from './render-inline.ts';
import type { RenderOptions } from './render-options.ts';

/**
 * Characters of a text in which each line may run its own way. Browsers look for the direction of all
 * lines again whenever one grows, so longer text has one direction: that of its beginning.
 */
const maxPlaintext = 5_000;

export interface InlineContext extends RenderOptions {
  /** The definition of a normalised label, if there is one so far. */
  reference(label: string): Reference | undefined;
}

/**
 * Inline content of one block, growing at its end. What no later text can change is put into the page
 * once and stays; only the last words are rendered again when more arrive.
 */
export class InlineView {
  readonly #parent: Element;
  readonly #context: InlineContext;
  /** Everything so far: a reference that is defined later needs it again. */
  #source = '';
  readonly #text = new InlineText();
  #complete = false;
  /** The last node of the page that is settled. Only a text node may have unsettled text after it. */
  #anchor: Node | null;
  readonly #origin: Node | null;
  #anchorLength = 0;
  #length = 0;
  /** Labels that were looked up in vain. */
  readonly #missing = new Set<string>();
  /** The missing names that `takeMissing` has not returned yet. */
  #newlyMissing: string[] = [];
  #needsEntities = false;
  /** Formulas in what is settled. */
  #settledFormulas = 0;

  constructor(parent: Element, context: InlineContext) {
    this.#parent = parent;
    this.#context = context;
    this.#origin = parent.lastChild;
    this.#anchor = this.#origin;
  }

  append(text: string): void {
    this.#source += text;
    this.#text.append(text);
    this.#measure(text.length);
  }

  replace(text: string): void {
    this.#source = text;
    this.#length = 0;
    this.#parent.classList.remove('one-direction');
    this.#measure(text.length);
    this.renderAgain();
  }

  #measure(added: number): void {
    const before = this.#length;
    this.#length += added;
    if (before > maxPlaintext || this.#length <= maxPlaintext) return;
    const direction = directionOf(this.#source.slice(0, maxPlaintext));
    this.#parent.classList.add('one-direction');
    if (direction) this.#parent.setAttribute('dir', direction);
  }

  /** Says that nothing more will come. */
  complete(): void {
    this.#complete = true;
  }

  /** Characters that are read when everything is rendered again. */
  get length(): number {
    return this.#source.length;
  }

  /** The text has names of characters that are not loaded. */
  get needsEntities(): boolean {
    return this.#needsEntities;
  }

  /** Labels that were looked up in vain since the last call. */
  takeMissing(): readonly string[] {
    const labels = this.#newlyMissing;
    this.#newlyMissing = [];
    return labels;
  }

  /** Renders everything anew, for what the text refers to has changed. */
  renderAgain(): void {
    this.#text.replace(this.#source);
    this.#anchor = this.#origin;
    this.#anchorLength = 0;
    this.#missing.clear();
    this.#settledFormulas = 0;
    this.#needsEntities = false;
    this.render();
  }

  render(): void {
    const result = this.#text.parse({
      complete: this.#complete,
      reference: (label) => {
        const found = this.#context.reference(label);
        if (!found && !this.#missing.has(label)) {
          this.#missing.add(label);
          this.#newlyMissing.push(label);
        }
        return found;
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
      return formulas <= maxDrawnFormulas;
    };
    const options = { ...this.#context, takeFormula };
    if (!settled) return { settled: [], tail: renderInlines(first, options) };
    const pieces = renderInlines(first, options, settled);
    this.#settledFormulas = formulas;
    return { settled: pieces, tail: renderInlines(settled.next, options) };
  }

  /** Writes text after what is settled in a text node, in one step, and new nodes after that. */
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
      const old = this.#anchor.length - this.#anchorLength;
      if (old > 0 || text) this.#anchor.replaceData(this.#anchorLength, old, text);
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
