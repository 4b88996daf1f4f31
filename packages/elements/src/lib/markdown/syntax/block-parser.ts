import { extras } from '../extras.ts';
import {
  fenceStart,
  headingStart,
  isLineKindKnown,
  isRule,
  type ListMarker,
  listMarker,
  underlineLevel,
} from './block-starts.ts';
import {
  type Block,
  type BlockSink,
  type Code,
  isLeaf,
  type Leaf,
  type Paragraph,
} from './blocks.ts';
import { decodeText } from './decode-text.ts';
import { appendToCode, appendToHeading, appendToParagraph, endParagraph } from './leaf-text.ts';
import { maxBlockDepth, maxBlocks, maxMarkdownLength } from './limits.ts';
import { Line } from './line.ts';
import { matchContainers } from './match-containers.ts';
import { OpenBlocks } from './open-blocks.ts';

const taskMarker = /^\[([ xX])\](?:[ \t]+|$)/;

/** Whether lines in a block can't open other blocks. */
const isOpaque = ({ kind }: Block) =>
  kind === 'code' || kind === 'math' || kind === 'comment' || kind === 'summary';

/**
 * Parses streaming CommonMark line by line, with the tables, task items, strikethrough and footnotes of
 * GFM, and formulas in TeX. Code blocks can be nested in a code block with Markdown. A line only changes
 * open blocks, so the time for a character does not depend on the length of the text before it. The
 * document does not depend on how the text is split into pieces. HTML is text, except for comments,
 * `<details>` and the elements of `html-syntax.ts`.
 */
export class BlockParser {
  readonly #sink: BlockSink;
  readonly #open: OpenBlocks;
  #length = 0;
  /** The unfinished line while its kind is unknown. */
  #pendingLine = '';
  /** The block that contains the unfinished line, once the kind of the line is known. */
  #lineLeaf: Leaf | undefined;
  #afterReturn = false;

  constructor(sink: BlockSink, root: Block) {
    this.#sink = sink;
    this.#open = new OpenBlocks(sink, root, (paragraph) => endParagraph(sink, paragraph));
  }

  /** Parses the next piece of the text. */
  write(piece: string): void {
    const remaining = Math.max(0, maxMarkdownLength - this.#length);
    this.#length += piece.length;
    this.#writeLines(piece.slice(0, remaining));
    if (piece.length > remaining) {
      this.#switchToPlainText();
      this.#writeLines(piece.slice(remaining));
    }
  }

  /** Ends the text and closes all open blocks. */
  end(): void {
    this.#endUnfinishedLine();
    this.#open.closeTo(0);
  }

  #writeLines(text: string): void {
    if (!text) return;
    // A line feed after a carriage return of the previous piece is part of the same line end.
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
    if (this.#lineLeaf) {
      this.#appendToLeaf(this.#lineLeaf, text.replaceAll('\0', '\ufffd'));
      if (complete) this.#endUnfinishedLine();
      return;
    }
    this.#pendingLine += text.replaceAll('\0', '\ufffd');
    if (complete || isLineKindKnown(this.#pendingLine, this.#open.tip, this.#open.depth > 2)) {
      const line = this.#pendingLine;
      this.#pendingLine = '';
      if (complete) this.#parseCompleteLine(line);
      else this.#parseLine(line, false);
    }
  }

  // --- lines -----------------------------------------------------------------------------------

  /**
   * Parses a line. If a `<details>` element starts and ends on the line, its end tag is parsed as a
   * separate line.
   */
  #parseCompleteLine(text: string): void {
    const end = extras()?.detailsEndWithin(text) ?? text.length;
    this.#parseLine(text.slice(0, end), true);
    if (end < text.length) this.#parseLine(text.slice(end), true);
  }

  #parseLine(text: string, complete: boolean): void {
    this.#open.line += 1;
    if (this.#open.count > maxBlocks) this.#switchToPlainText();
    if (this.#open.tip.kind === 'plain') {
      this.#sink.append(this.#open.tip, complete ? `${text}\n` : text);
      return;
    }
    const line = new Line(text);
    const matched = matchContainers(this.#open, line, this.#sink);
    if (matched === 'closed') return;

    const lazyTip = matched < this.#open.depth && this.#open.tip.kind === 'paragraph';
    const depth = this.#openContainers(line, matched);
    const opened = depth === 'opened';
    if (!opened && !(lazyTip && !line.blank)) this.#open.closeTo(matched);
    const blank = line.blank && !opened;
    this.#addText(line, opened);
    this.#open.updateEndLines(blank, matched);
    if (complete) this.#endLine();
    else if (isLeaf(this.#open.tip)) this.#lineLeaf = this.#open.tip;
  }

  /** Opens the blocks that start on the line. */
  #openContainers(line: Line, matched: number): 'opened' | 'none' {
    let depth = matched;
    let opened = false;
    for (;;) {
      const container = this.#open.at(depth - 1);
      if (line.blank || isOpaque(container)) break;
      if (line.indent > 3) {
        if (this.#open.tip.kind === 'paragraph') break;
        this.#open.openAt(depth, this.#code(undefined, ''));
        line.skipColumns(4);
        return 'opened';
      }
      const { content } = line;
      const nests = this.#open.depth < maxBlockDepth;
      if (content[0] === '>' && nests) {
        line.skipMarker(1);
        line.skipColumns(1);
        this.#open.openAt(depth, {
          kind: 'quote',
          alert: undefined,
          ...this.#open.containerBase(),
        });
      } else if (extras()?.openContainer(this.#open, this.#sink, line, depth)) {
        if (line.blank) return 'opened';
      } else if (this.#openLeaf(line, content, container, depth)) {
        return 'opened';
      } else {
        const marker = nests ? listMarker(content) : undefined;
        if (!marker || !this.#openItem(line, marker, container, depth)) break;
      }
      opened = true;
      depth = this.#open.depth;
    }
    return opened ? 'opened' : 'none';
  }

  #openLeaf(line: Line, content: string, container: Block, depth: number): boolean {
    const head = headingStart(content);
    if (head) {
      line.skipMarker(head.textAt);
      this.#open.openAt(depth, {
        kind: 'heading',
        level: head.level,
        held: '',
        empty: true,
        ...this.#open.base(),
      });
      return true;
    }
    if (extras()?.openMath(this.#open, this.#sink, line, depth)) return true;
    const fence = fenceStart(content);
    if (fence) {
      const { indent } = line;
      line.skipMarker(content.length);
      this.#open.openAt(depth, this.#code({ mark: fence.mark, indent }, fence.info));
      return true;
    }
    if (container.kind === 'paragraph') {
      const level = underlineLevel(content);
      if (level && this.#open.toHeading(container, level)) {
        line.skipMarker(content.length);
        return true;
      }
      if (extras()?.openTable(this.#open, this.#sink, container, content)) {
        line.skipMarker(content.length);
        return true;
      }
    }
    if (isRule(content)) {
      line.skipMarker(content.length);
      this.#open.openAt(depth, { kind: 'rule', ...this.#open.base() });
      this.#open.close();
      return true;
    }
    return false;
  }

  #code(fence: Code['fence'], info: string): Code {
    const language = decodeText(info).split(/[ \t]/, 1)[0] ?? '';
    return { kind: 'code', fence, language, innerFences: [], held: '', ...this.#open.base() };
  }

  #openItem(line: Line, marker: ListMarker, container: Block, depth: number): boolean {
    const after = line.content.slice(marker.width);
    const empty = !after.trim();
    // Only an item with text, whose number is 1 if it has one, can interrupt a paragraph.
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
      const listDepth = container.kind === 'list' ? depth - 1 : depth;
      const list = { kind: 'list', ordered, delimiter, start, loose: false } as const;
      this.#open.openAt(listDepth, { ...list, ...this.#open.containerBase() });
    }
    const contentIndent = indent + marker.width + spaces;
    const item = { kind: 'item', contentIndent, task: undefined } as const;
    this.#open.openAt(inList ? depth : this.#open.depth, {
      ...item,
      ...this.#open.containerBase(),
    });
    return true;
  }

  /** Appends the rest of the line to the open leaf or a new paragraph. */
  #addText(line: Line, opened: boolean): void {
    const tip = this.#open.tip;
    if (tip.kind === 'code') {
      if (!(opened && tip.fence)) appendToCode(this.#sink, tip, line.rest);
    } else if (line.blank) return;
    else if (tip.kind === 'comment') return;
    else if (tip.kind === 'summary') extras()?.appendToSummary(this.#sink, tip, line.content);
    else if (tip.kind === 'math') this.#sink.append(tip, `\n${line.content}`);
    else if (tip.kind === 'paragraph') appendToParagraph(this.#sink, tip, `\n${line.content}`);
    else if (tip.kind === 'heading') this.#appendToLeaf(tip, line.content);
    else if (tip.kind === 'table') {
      const row = { kind: 'row', table: tip, ...this.#open.base() } as const;
      this.#open.push(row);
      this.#sink.append(row, line.content);
    } else this.#openParagraph(line.content);
  }

  #openParagraph(content: string): void {
    const parent = this.#open.tip;
    const alert = parent.kind === 'quote' && !parent.alert && parent.lastChildEnd === undefined;
    if (alert) {
      parent.alert = extras()?.alertStart(content);
      if (parent.alert) {
        this.#sink.makeAlert(parent);
        return;
      }
    }
    let text = content;
    const task = taskMarker.exec(text);
    if (task && parent.kind === 'item' && parent.lastChildEnd === undefined) {
      parent.task = task[1] === ' ' ? 'open' : 'done';
      this.#sink.makeTask(parent);
      text = text.slice(task[0].length);
    }
    const paragraph: Paragraph = {
      kind: 'paragraph',
      text: '',
      held: '',
      maybeDefinition: text.startsWith('['),
      ...this.#open.base(),
    };
    this.#open.openAt(this.#open.depth, paragraph);
    appendToParagraph(this.#sink, paragraph, text);
  }

  #endLine(): void {
    const tip = this.#open.tip;
    if (tip.kind === 'heading' || tip.kind === 'row') this.#open.close();
  }

  #endUnfinishedLine(): void {
    const line = this.#pendingLine;
    this.#pendingLine = '';
    if (this.#lineLeaf) {
      this.#lineLeaf = undefined;
      this.#endLine();
    } else if (line) this.#parseCompleteLine(line);
  }

  // --- text of leaves --------------------------------------------------------------------------

  #appendToLeaf(leaf: Leaf, text: string): void {
    if (leaf.kind === 'paragraph') appendToParagraph(this.#sink, leaf, text);
    else if (leaf.kind === 'heading') appendToHeading(this.#sink, leaf, text);
    else this.#sink.append(leaf, text);
  }

  /** Treats the rest of the text as plain text. */
  #switchToPlainText(): void {
    if (this.#open.tip.kind === 'plain') return;
    this.#open.count = 0;
    this.#endUnfinishedLine();
    this.#open.closeTo(1);
    this.#open.push({ kind: 'plain', ...this.#open.base() });
  }
}
