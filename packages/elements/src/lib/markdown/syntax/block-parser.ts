import {
  closesFence,
  delimiterRow,
  fenceStart,
  headingStart,
  isDecided,
  isRule,
  type ListMarker,
  listMarker,
  splitCells,
  underlineLevel,
} from './block-starts.ts';
import {
  type Block,
  type BlockSink,
  type Code,
  canContain,
  type Heading,
  isContainer,
  isLeaf,
  type Leaf,
  type Paragraph,
} from './blocks.ts';
import { decodeText } from './entities.ts';
import {
  appendToCode,
  appendToHeading,
  appendToParagraph,
  readDefinitions,
  releaseHeld,
} from './leaf-text.ts';
import { maxBlockDepth, maxBlocks, maxMarkdownLength } from './limits.ts';
import { Line } from './line.ts';

const taskMark = /^\[([ xX])\](?:[ \t]+|$)/;

/**
 * Reads CommonMark with the tables, task items and strikethrough of GFM, line by line, as the text
 * arrives. It never goes back: a line changes only the blocks that are still open, so the cost of a
 * character does not depend on how much came before it, and where the text was cut on its way makes
 * no difference to the document. HTML has no meaning: it is text.
 */
export class BlockParser {
  readonly #sink: BlockSink;
  /** The open blocks, from the root to the one that takes text. */
  readonly #path: Block[] = [];
  #lineNumber = 0;
  #length = 0;
  #blocks = 0;
  /** The unfinished line, while it is not known what it is. */
  #waiting = '';
  /** The block that the rest of the current line goes to, once it is known. */
  #live: Leaf | undefined;
  #afterReturn = false;

  constructor(sink: BlockSink, root: Block) {
    this.#sink = sink;
    this.#path.push(root);
  }

  /** Takes the next piece of the text. */
  write(piece: string): void {
    const room = Math.max(0, maxMarkdownLength - this.#length);
    this.#length += piece.length;
    this.#writeLines(piece.slice(0, room));
    if (piece.length > room) {
      this.#giveUp();
      this.#writeLines(piece.slice(room));
    }
  }

  /** Ends the text: what is still open is closed as it stands. */
  end(): void {
    this.#endUnfinishedLine();
    this.#closeTo(0);
  }

  #writeLines(text: string): void {
    if (!text) return;
    // After a carriage return, a line feed is the other half of the same line end.
    let from = this.#afterReturn && text[0] === '\n' ? 1 : 0;
    this.#afterReturn = text.endsWith('\r');
    const lineEnd = /\r\n?|\n/g;
    lineEnd.lastIndex = from;
    for (let match = lineEnd.exec(text); match; match = lineEnd.exec(text)) {
      this.#writeInLine(text.slice(from, match.index), true);
      from = lineEnd.lastIndex;
    }
    if (from < text.length) this.#writeInLine(text.slice(from), false);
  }

  #writeInLine(text: string, complete: boolean): void {
    if (this.#live) {
      this.#appendLive(this.#live, text.replaceAll('\0', '\ufffd'));
      if (complete) this.#endUnfinishedLine();
      return;
    }
    this.#waiting += text.replaceAll('\0', '\ufffd');
    const tip = this.#tip;
    const inCode = tip.kind === 'plain' || (tip.kind === 'code' && tip.fence !== undefined);
    if (complete || isDecided(this.#waiting, inCode, this.#path.length > 2)) {
      const line = this.#waiting;
      this.#waiting = '';
      this.#takeLine(line, complete);
    }
  }

  get #tip(): Block {
    return this.#path[this.#path.length - 1] as Block;
  }

  // --- lines -----------------------------------------------------------------------------------

  #takeLine(text: string, complete: boolean): void {
    this.#lineNumber += 1;
    if (this.#blocks > maxBlocks) this.#giveUp();
    if (this.#tip.kind === 'plain') {
      this.#sink.append(this.#tip, complete ? `${text}\n` : text);
      return;
    }
    const line = new Line(text);
    const matched = this.#matchContainers(line);
    if (matched === 'closed') return;

    const lazyTip = matched < this.#path.length && this.#tip.kind === 'paragraph';
    const depth = this.#openContainers(line, matched);
    const opened = depth === 'opened';
    if (!opened && !(lazyTip && !line.blank)) this.#closeTo(matched);
    const blank = line.blank && !opened;
    this.#takeText(line, opened);
    this.#touch(blank, matched);
    if (complete) this.#endLine();
    else if (isLeaf(this.#tip)) this.#live = this.#tip;
  }

  /** How many of the open blocks the line belongs to; or that it only closed a code fence. */
  #matchContainers(line: Line): number | 'closed' {
    let depth = 1;
    for (; depth < this.#path.length; depth += 1) {
      const block = this.#path[depth] as Block;
      if (block.kind === 'quote') {
        if (line.indent > 3 || line.text[line.next] !== '>') break;
        line.skipMarker(1);
        line.skipColumns(1);
      } else if (block.kind === 'item') {
        const empty = block.lastChildEnd === undefined && depth === this.#path.length - 1;
        if (line.blank ? empty : line.indent < block.contentIndent) break;
        line.skipColumns(block.contentIndent);
      } else if (block.kind === 'code') {
        if (!block.fence) {
          if (!line.blank && line.indent < 4) break;
          line.skipColumns(4);
        } else if (line.indent < 4 && closesFence(line.content, block.fence.mark)) {
          this.#closeTo(depth + 1);
          this.#touch(false, depth + 1);
          this.#closeTo(depth);
          return 'closed';
        } else line.skipColumns(block.fence.indent);
      } else if (block.kind === 'paragraph' || block.kind === 'table') {
        if (line.blank) break;
      } else if (block.kind !== 'list') break;
    }
    return depth;
  }

  /** Opens the blocks that begin on the line. */
  #openContainers(line: Line, matched: number): 'opened' | 'none' {
    let depth = matched;
    let opened = false;
    for (;;) {
      const container = this.#path[depth - 1] as Block;
      if (line.blank || container.kind === 'code') break;
      if (line.indent > 3) {
        if (this.#tip.kind === 'paragraph') break;
        this.#openAt(depth, this.#code(undefined, ''));
        line.skipColumns(4);
        return 'opened';
      }
      const { content } = line;
      const nests = this.#path.length < maxBlockDepth;
      if (content[0] === '>' && nests) {
        line.skipMarker(1);
        line.skipColumns(1);
        this.#openAt(depth, { kind: 'quote', ...this.#containerBase() });
      } else if (this.#openLeaf(line, content, container, depth)) {
        return 'opened';
      } else {
        const marker = nests ? listMarker(content) : undefined;
        if (!marker || !this.#openItem(line, marker, container, depth)) break;
      }
      opened = true;
      depth = this.#path.length;
    }
    return opened ? 'opened' : 'none';
  }

  #openLeaf(line: Line, content: string, container: Block, depth: number): boolean {
    const head = headingStart(content);
    if (head) {
      line.skipMarker(head.textAt);
      this.#openAt(depth, {
        kind: 'heading',
        level: head.level,
        held: '',
        empty: true,
        ...this.#base(),
      });
      return true;
    }
    const fence = fenceStart(content);
    if (fence) {
      const { indent } = line;
      line.skipMarker(content.length);
      this.#openAt(depth, this.#code({ mark: fence.mark, indent }, fence.info));
      return true;
    }
    if (container.kind === 'paragraph') {
      const level = underlineLevel(content);
      if (level && this.#toHeading(container, level)) {
        line.skipMarker(content.length);
        return true;
      }
      if (this.#toTable(container, content)) {
        line.skipMarker(content.length);
        return true;
      }
    }
    if (isRule(content)) {
      line.skipMarker(content.length);
      this.#openAt(depth, { kind: 'rule', ...this.#base() });
      this.#close();
      return true;
    }
    return false;
  }

  #openItem(line: Line, marker: ListMarker, container: Block, depth: number): boolean {
    const after = line.content.slice(marker.width);
    const empty = !after.trim();
    // A paragraph is interrupted only by an item that has text and, when numbered, counts from one.
    if (container.kind === 'paragraph' && (empty || marker.start !== 1)) return false;

    const { indent } = line;
    line.skipMarker(marker.width);
    const spaces = empty || line.indent > 4 ? 1 : line.indent;
    line.skipColumns(spaces);

    const { ordered, delimiter, start } = marker;
    const inList =
      container.kind === 'list' &&
      container.ordered === ordered &&
      container.delimiter === delimiter;
    if (!inList) {
      const at = container.kind === 'list' ? depth - 1 : depth;
      const list = { kind: 'list', ordered, delimiter, start, loose: false } as const;
      this.#openAt(at, { ...list, ...this.#containerBase() });
    }
    const contentIndent = indent + marker.width + spaces;
    const item = { kind: 'item', contentIndent, task: undefined } as const;
    this.#openAt(inList ? depth : this.#path.length, { ...item, ...this.#containerBase() });
    return true;
  }

  /** Gives what is left of the line to the open leaf, or to a new paragraph. */
  #takeText(line: Line, opened: boolean): void {
    const tip = this.#tip;
    if (tip.kind === 'code') {
      if (!(opened && tip.fence)) appendToCode(this.#sink, tip, line.rest);
    } else if (line.blank) return;
    else if (tip.kind === 'paragraph') appendToParagraph(this.#sink, tip, `\n${line.content}`);
    else if (tip.kind === 'heading') this.#appendLive(tip, line.content);
    else if (tip.kind === 'table') {
      const row = { kind: 'row', table: tip, ...this.#base() } as const;
      this.#push(row);
      this.#sink.append(row, line.content);
    } else this.#openParagraph(line.content);
  }

  #openParagraph(content: string): void {
    const parent = this.#tip;
    let text = content;
    const task = taskMark.exec(text);
    if (task && parent.kind === 'item' && parent.lastChildEnd === undefined) {
      parent.task = task[1] === ' ' ? 'open' : 'done';
      this.#sink.mark(parent);
      text = text.slice(task[0].length);
    }
    const paragraph: Paragraph = {
      kind: 'paragraph',
      text: '',
      held: '',
      maybeDefinition: text.startsWith('['),
      ...this.#base(),
    };
    this.#openAt(this.#path.length, paragraph);
    appendToParagraph(this.#sink, paragraph, text);
  }

  #endLine(): void {
    const tip = this.#tip;
    if (tip.kind === 'heading' || tip.kind === 'row') this.#close();
  }

  #endUnfinishedLine(): void {
    const line = this.#waiting;
    this.#waiting = '';
    if (this.#live) {
      this.#live = undefined;
      this.#endLine();
    } else if (line) this.#takeLine(line, true);
  }

  /** Notes which open blocks the line belongs to: lists are loose where lines are missing. */
  #touch(blank: boolean, matched: number): void {
    const tip = this.#tip;
    let depth = this.#path.length;
    if (blank && !(tip.kind === 'code' && tip.fence)) {
      depth = Math.min(depth, matched);
      while (depth > 0 && this.#path[depth - 1]?.kind !== 'quote') depth -= 1;
    }
    for (const block of this.#path.slice(0, depth)) block.endLine = this.#lineNumber;
  }

  // --- text of leaves --------------------------------------------------------------------------

  #appendLive(leaf: Leaf, text: string): void {
    if (leaf.kind === 'paragraph') appendToParagraph(this.#sink, leaf, text);
    else if (leaf.kind === 'heading') appendToHeading(this.#sink, leaf, text);
    else this.#sink.append(leaf, text);
  }

  #toHeading(paragraph: Paragraph, level: number): boolean {
    if (paragraph.maybeDefinition) readDefinitions(this.#sink, paragraph, true);
    releaseHeld(this.#sink, paragraph);
    if (!paragraph.text) return false;
    const { startLine } = paragraph;
    const { text } = paragraph;
    this.#path.pop();
    this.#sink.remove(paragraph);
    const heading: Heading = {
      kind: 'heading',
      level,
      held: '',
      empty: false,
      startLine,
      endLine: startLine,
    };
    this.#push(heading);
    this.#sink.append(heading, text);
    return true;
  }

  /** Makes a table of a paragraph's last line, when `content` is the line that goes under a header. */
  #toTable(paragraph: Paragraph, content: string): boolean {
    if (paragraph.maybeDefinition) return false;
    const alignments = delimiterRow(content);
    if (!alignments) return false;
    const whole = paragraph.text + paragraph.held;
    const at = whole.lastIndexOf('\n');
    const header = splitCells(whole.slice(at + 1));
    if (header.length !== alignments.length) return false;
    if (header.length === 1 && !`${whole.slice(at + 1)}${content}`.includes('|')) return false;

    const before = at > 0 ? whole.slice(0, at) : '';
    paragraph.held = '';
    if (before) {
      if (before.length < paragraph.text.length) this.#sink.rewrite(paragraph, before);
      paragraph.text = before;
      this.#close();
    } else {
      this.#path.pop();
      this.#sink.remove(paragraph);
    }
    const startLine = before ? this.#lineNumber : paragraph.startLine;
    this.#push({ kind: 'table', alignments, header, startLine, endLine: this.#lineNumber });
    return true;
  }

  // --- the path of open blocks -----------------------------------------------------------------

  #base() {
    return { startLine: this.#lineNumber, endLine: this.#lineNumber };
  }

  #containerBase() {
    return { ...this.#base(), lastChildEnd: undefined };
  }

  #code(fence: Code['fence'], info: string): Code {
    const language = decodeText(info).split(/[ \t]/, 1)[0] ?? '';
    return { kind: 'code', fence, language, held: '', ...this.#base() };
  }

  /** Opens `block` within the first `depth` open blocks, and closes the others. */
  #openAt(depth: number, block: Block): void {
    this.#closeTo(depth);
    while (!canContain(this.#tip, block)) this.#close();
    const parent = this.#tip;
    if (isContainer(parent) && parent.lastChildEnd !== undefined) {
      const list = parent.kind === 'item' ? this.#path[this.#path.length - 2] : parent;
      const gap = parent.lastChildEnd < this.#lineNumber - 1;
      if (gap && list?.kind === 'list' && !list.loose) {
        list.loose = true;
        this.#sink.loosen(list);
      }
    }
    this.#push(block);
  }

  #push(block: Block): void {
    this.#blocks += 1;
    this.#sink.open(block, this.#tip);
    this.#path.push(block);
  }

  #closeTo(depth: number): void {
    while (this.#path.length > depth) this.#close();
  }

  #close(): void {
    const block = this.#path.pop();
    if (!block) return;
    const parent = this.#path[this.#path.length - 1];
    if (block.kind === 'paragraph') {
      if (block.maybeDefinition) readDefinitions(this.#sink, block, true);
      releaseHeld(this.#sink, block);
    }
    if (parent && isContainer(parent)) parent.lastChildEnd = block.endLine;
    if (block.kind === 'paragraph' && !block.text) this.#sink.remove(block);
    else this.#sink.close(block);
  }

  /** Stops reading Markdown: the rest of the text is shown as it is. */
  #giveUp(): void {
    if (this.#tip.kind === 'plain') return;
    this.#blocks = 0;
    this.#endUnfinishedLine();
    this.#closeTo(1);
    this.#push({ kind: 'plain', ...this.#base() });
  }
}
