import { createElement } from '../../create-element.ts';
import { lazy } from '../../lazy.ts';
import type { Token } from '../highlight/token-emitter.ts';
import type { Tokenizer } from '../highlight/tokenizer.ts';
import { changeContent } from './content-guard.ts';
import { preserveSelection } from './preserve-selection.ts';
import { whenNearViewport } from './when-near-viewport.ts';

const languages = lazy(() => import('../highlight/languages.ts'));

/**
 * Maximum length of highlighted code, in characters. Code is tokenized in one task, which must take
 * less than 50 ms for any code in any language.
 */
const maxLength = 10_000;

/** Code with such a long line is generated or minified, and is not highlighted. */
const longLine = /[^\n]{1000}/;

/**
 * Streaming code is tokenized again when its length has grown by this factor, so that the total time is
 * linear.
 */
const growthFactor = 1.5;

/** The code of a block, and a function that replaces the content of its lines. */
interface HighlightedCode {
  readonly root: Element;
  readonly text: string;
  readonly length: number;
  readonly isComplete: boolean;
  readonly highlighted: boolean;
  highlight(nodesOf: (from: number, to: number) => readonly Node[]): void;
}

/** Highlights the code of a block in or near the viewport while the browser is idle. */
export class CodeHighlight {
  readonly #view: HighlightedCode;
  readonly #language: string;
  #tokenizer: Tokenizer | undefined;
  #state: 'new' | 'far' | 'loading' | 'ready' | 'scheduled' = 'new';
  /** Length of the code when it was last tokenized. */
  #tokenizedLength = 0;

  constructor(view: HighlightedCode, language: string) {
    this.#view = view;
    this.#language = language;
  }

  /** Schedules highlighting after the code has changed or is complete. */
  update(): void {
    if (this.#state === 'new') {
      this.#state = 'far';
      const { root } = this.#view;
      whenNearViewport(root.parentElement ?? root, () => void this.#load());
    } else if (this.#state === 'ready' && this.#isDue()) {
      this.#state = 'scheduled';
      whenIdle(() => {
        this.#state = 'ready';
        this.#run();
      });
    }
  }

  async #load(): Promise<void> {
    this.#state = 'loading';
    this.#tokenizer = await (await languages.load())?.loadTokenizer(this.#language);
    if (!this.#tokenizer) return;
    this.#state = 'ready';
    this.update();
  }

  #isDue(): boolean {
    const { length, isComplete } = this.#view;
    if (length > maxLength) return false;
    return isComplete
      ? length > 0 && !this.#view.highlighted
      : length > this.#tokenizedLength * growthFactor + 40;
  }

  #run(): void {
    const { text, root } = this.#view;
    if (longLine.test(text)) return;
    this.#tokenizedLength = text.length;
    const tokens = this.#tokenizer?.(text);
    if (tokens) {
      const highlight = () => this.#view.highlight((from, to) => toNodes(tokens, text, from, to));
      changeContent(root, () => preserveSelection(root, highlight));
    } else this.#tokenizer = undefined;
  }
}

/** Creates the nodes for a part of the code. */
function toNodes(tokens: readonly Token[], text: string, from: number, to: number): Node[] {
  const nodes: Node[] = [];
  let start = from;
  for (let index = firstAfter(tokens, from); start < to; index += 1) {
    const token = tokens[index];
    if (!token) break;
    const end = Math.min(token.end, to);
    const part = text.slice(start, end);
    nodes.push(token.kind ? createElement('span', { class: token.kind }, part) : new Text(part));
    start = end;
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
