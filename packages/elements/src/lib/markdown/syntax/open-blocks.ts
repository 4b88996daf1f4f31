import {
  type Block,
  type BlockSink,
  canContain,
  type Heading,
  isContainer,
  type Paragraph,
} from './blocks.ts';

/**
 * Stack of open blocks, from the root to the leaf that receives text. Opens, closes and converts blocks
 * and reports each change to the sink.
 */
export class OpenBlocks {
  readonly #sink: BlockSink;
  readonly #blocks: Block[];
  readonly #endParagraph: (paragraph: Paragraph) => void;
  /** Number of the current line. */
  line = 0;
  /** Number of blocks that were opened so far. */
  count = 0;

  /** `endParagraph` appends the text that a paragraph holds back. */
  constructor(sink: BlockSink, root: Block, endParagraph: (paragraph: Paragraph) => void) {
    this.#sink = sink;
    this.#endParagraph = endParagraph;
    this.#blocks = [root];
  }

  get depth(): number {
    return this.#blocks.length;
  }

  /** The innermost open block. */
  get tip(): Block {
    return this.#blocks[this.#blocks.length - 1] as Block;
  }

  /** The open block at a depth; the root is at 0. */
  at(depth: number): Block {
    return this.#blocks[depth] as Block;
  }

  /**
   * Sets the last line of the open blocks to the current one. `openAt` recognizes loose lists by a
   * gap between the last line of a block and the next block.
   *
   * @param blank - Whether the line is blank.
   * @param matched - Number of open blocks that contain the line.
   */
  updateEndLines(blank: boolean, matched: number): void {
    const tip = this.tip;
    let depth = this.depth;
    if (blank && !(tip.kind === 'code' && tip.fence)) {
      depth = Math.min(depth, matched);
      while (depth > 0 && this.#blocks[depth - 1]?.kind !== 'quote') depth -= 1;
    }
    for (const block of this.#blocks.slice(0, depth)) block.endLine = this.line;
  }

  /** Common properties of blocks that start on this line. */
  base() {
    return { startLine: this.line, endLine: this.line };
  }

  containerBase() {
    return { ...this.base(), lastChildEnd: undefined };
  }

  /** Opens `block` within the first `depth` open blocks, and closes the others. */
  openAt(depth: number, block: Block): void {
    this.closeTo(depth);
    while (!canContain(this.tip, block)) this.close();
    const parent = this.tip;
    if (isContainer(parent) && parent.lastChildEnd !== undefined) {
      const list = parent.kind === 'item' ? this.#blocks[this.#blocks.length - 2] : parent;
      const gap = parent.lastChildEnd < this.line - 1;
      if (gap && list?.kind === 'list' && !list.loose) {
        list.loose = true;
        this.#sink.loosen(list);
      }
    }
    this.push(block);
  }

  push(block: Block): void {
    this.count += 1;
    if (block.kind !== 'comment') this.#sink.open(block, this.tip);
    this.#blocks.push(block);
  }

  closeTo(depth: number): void {
    while (this.#blocks.length > depth) this.close();
  }

  close(): void {
    const block = this.#blocks.pop();
    if (!block) return;
    const parent = this.#blocks[this.#blocks.length - 1];
    if (block.kind === 'paragraph') this.#endParagraph(block);
    if (parent && isContainer(parent)) parent.lastChildEnd = block.endLine;
    if (block.kind === 'paragraph' && !block.text) this.#sink.remove(block);
    else if (block.kind !== 'comment') this.#sink.close(block);
  }

  /** Converts a paragraph to a setext heading. Returns false if it contains only definitions. */
  toHeading(paragraph: Paragraph, level: number): boolean {
    this.#endParagraph(paragraph);
    if (!paragraph.text) return false;
    const { startLine } = paragraph;
    const { text } = paragraph;
    this.discard();
    const heading: Heading = {
      kind: 'heading',
      level,
      held: '',
      empty: false,
      startLine,
      endLine: startLine,
    };
    this.push(heading);
    this.#sink.append(heading, text);
    return true;
  }

  /** Removes the innermost block, because later text shows that it is not a block of that kind. */
  discard(): void {
    const block = this.#blocks.pop();
    if (block) this.#sink.remove(block);
  }
}
