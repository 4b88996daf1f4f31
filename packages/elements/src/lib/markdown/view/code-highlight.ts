import type { Token } from '../highlight/token-emitter.ts';
import type { Tokenize } from '../highlight/tokenize.ts';
import { create } from './dom.ts';
import { keepSelection } from './keep-selection.ts';
import { whenNear } from './when-near.ts';

/**
 * Longer code stays plain: it is read in one task, which must take less than 50 ms for any text in
 * any language.
 */
const maxLength = 10_000;

/** Code with a longer line, which is generated or minified, also stays plain. */
const longLine = /[^\n]{1000}/;

/** Code that grows is read again once it is this much longer, which is a constant cost for each letter. */
const growth = 1.5;

/** The code of a block, and a function that replaces the content of its lines. */
interface HighlightedCode {
  readonly root: Element;
  readonly text: string;
  readonly length: number;
  readonly isComplete: boolean;
  readonly painted: boolean;
  paint(nodesOf: (from: number, to: number) => readonly Node[]): void;
}

/** Highlights the code of a block in or near the view while the browser is idle. */
export class CodeHighlight {
  readonly #view: HighlightedCode;
  readonly #language: string;
  #tokenize: Tokenize | undefined;
  #state: 'new' | 'far' | 'loading' | 'ready' | 'waiting' = 'new';
  /** Length of the code when it was read last. */
  #read = 0;

  constructor(view: HighlightedCode, language: string) {
    this.#view = view;
    this.#language = language;
  }

  /** Schedules highlighting after the code has changed or is complete. */
  update(): void {
    if (this.#state === 'new') {
      this.#state = 'far';
      const { root } = this.#view;
      whenNear(root.parentElement ?? root, () => void this.#load());
    } else if (this.#state === 'ready' && this.#isDue()) {
      this.#state = 'waiting';
      whenIdle(() => {
        this.#state = 'ready';
        this.#run();
      });
    }
  }

  async #load(): Promise<void> {
    this.#state = 'loading';
    this.#tokenize = await tokenizeOf(this.#language);
    if (!this.#tokenize) return;
    this.#state = 'ready';
    this.update();
  }

  #isDue(): boolean {
    const { length, isComplete } = this.#view;
    if (length > maxLength) return false;
    return isComplete ? length > 0 && !this.#view.painted : length > this.#read * growth + 40;
  }

  #run(): void {
    const { text, root } = this.#view;
    if (longLine.test(text)) return;
    this.#read = text.length;
    const tokens = this.#tokenize?.(text);
    if (tokens)
      keepSelection(root, () => this.#view.paint((from, to) => toNodes(tokens, text, from, to)));
    else this.#tokenize = undefined;
  }
}

/** Loads the tokenizer of a language; undefined if it is not supported or loading fails. */
async function tokenizeOf(language: string): Promise<Tokenize | undefined> {
  if (language === '') return undefined;
  try {
    const { loadTokenize } = await import('../highlight/load-tokenize.ts');
    return await loadTokenize(language);
  } catch {
    return undefined;
  }
}

/** Nodes for a part of the code. */
function toNodes(tokens: readonly Token[], text: string, from: number, to: number): Node[] {
  const nodes: Node[] = [];
  let at = from;
  for (let index = firstAfter(tokens, from); at < to; index += 1) {
    const token = tokens[index];
    if (!token) break;
    const end = Math.min(token.end, to);
    const part = text.slice(at, end);
    nodes.push(token.kind ? create('span', { class: token.kind }, part) : new Text(part));
    at = end;
  }
  return nodes;
}

/** Index of the first token that ends after `position`. */
function firstAfter(tokens: readonly Token[], position: number): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.end ?? 0) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: 500 });
  else setTimeout(run, 50);
}
