import { describe, expect, it } from 'vitest';
import { installExtras } from '../../../packages/elements/src/lib/markdown/extras.ts';
import * as markdownExtras from '../../../packages/elements/src/lib/markdown/markdown-extras.ts';
import { BlockParser } from '../../../packages/elements/src/lib/markdown/syntax/block-parser.ts';
import type {
  Block,
  BlockSink,
  Leaf,
  Reference,
} from '../../../packages/elements/src/lib/markdown/syntax/blocks.ts';
import { InlineText } from '../../../packages/elements/src/lib/markdown/syntax/inline-text.ts';
import { adversarialTexts } from './adversarial-texts.ts';

installExtras(markdownExtras);

/** Length of a chunk of a streamed answer, in characters. */
const chunkLength = 25;

/** Runs the parser like `<inlay-markdown>`, without creating elements. */
class HeadlessRenderer implements BlockSink {
  readonly #parser: BlockParser;
  readonly #texts = new Map<Block, InlineText>();
  readonly #changed = new Set<InlineText>();
  readonly #closed = new Set<InlineText>();
  readonly #references = new Map<string, Reference>();

  constructor() {
    const root = { kind: 'root', startLine: 0, endLine: 0, lastChildEnd: undefined } as const;
    this.#parser = new BlockParser(this, { ...root });
  }

  write(chunk: string): void {
    this.#parser.write(chunk);
    this.#parseChanged();
  }

  end(): void {
    this.#parser.end();
    this.#parseChanged();
  }

  #parseChanged(): void {
    const reference = (label: string) => this.#references.get(label);
    for (const text of this.#changed) text.parse({ complete: this.#closed.has(text), reference });
    this.#changed.clear();
  }

  open(block: Block): void {
    if (!['code', 'math', 'plain'].includes(block.kind)) this.#texts.set(block, new InlineText());
  }

  append(leaf: Leaf, text: string): void {
    const inlines = this.#texts.get(leaf);
    inlines?.append(text);
    if (inlines) this.#changed.add(inlines);
  }

  close(block: Block): void {
    const text = this.#texts.get(block);
    this.#texts.delete(block);
    if (!text) return;
    this.#closed.add(text);
    this.#changed.add(text);
  }

  remove(block: Block): void {
    this.#texts.delete(block);
  }

  define(label: string, reference: Reference): void {
    this.#references.set(label, reference);
  }

  loosen(): void {}
  makeTask(): void {}
  makeAlert(): void {}
}

/**
 * CPU time of `run` in milliseconds: the minimum of several attempts, because other processes that
 * use the same processor multiply the time of single ones.
 */
function costOf(prepare: () => () => void, attempts = 4): number {
  let minimum = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const run = prepare();
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    minimum = Math.min(minimum, (user + system) / 1_000);
  }
  return minimum;
}

const costOfWholeText = (text: string) =>
  costOf(() => () => {
    const renderer = new HeadlessRenderer();
    renderer.write(text);
    renderer.end();
  });

/** Cost of the last 60 chunks of a text. */
const costOfLastChunks = (text: string) =>
  costOf(() => {
    const renderer = new HeadlessRenderer();
    const from = text.length - 60 * chunkLength;
    for (let offset = 0; offset < from; offset += 500)
      renderer.write(text.slice(offset, Math.min(from, offset + 500)));
    return () => {
      for (let offset = from; offset < text.length; offset += chunkLength) {
        renderer.write(text.slice(offset, offset + chunkLength));
      }
    };
  });

/** Measurement noise in milliseconds. */
const noise = 15;

describe('the Markdown parser', () => {
  for (const [name, createText] of Object.entries(adversarialTexts)) {
    it(`parses in linear time: ${name}`, () => {
      costOfWholeText(createText(2_000));
      const short = costOfWholeText(createText(6_250));
      const long = costOfWholeText(createText(50_000));

      // For 8 times the length, the time grows by a factor of 8 if it is linear, and of 64 if quadratic.
      expect(long).toBeLessThan(24 * Math.max(short, noise / 8));
    });

    it(`appends a chunk to a long text as fast as to a short text: ${name}`, () => {
      const short = costOfLastChunks(createText(6_250));
      const long = costOfLastChunks(createText(50_000));

      expect(long).toBeLessThan(3 * Math.max(short, noise));
    });
  }
});
