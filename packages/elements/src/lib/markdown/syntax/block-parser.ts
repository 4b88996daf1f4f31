import { extras } from '../extras.ts';
import {
  fenceStart,
  headingStart,
  isDecided,
  isRule,
  type ListMarker,
  listMarker,
  underlineLevel,
} from './block-starts.ts';
import { type Block, type BlockSink, isLeaf, type Leaf, type Paragraph } from './blocks.ts';
import { appendToCode, appendToHeading, appendToParagraph } from './leaf-text.ts';
import { maxBlockDepth, maxBlocks, maxMarkdownLength } from './limits.ts';
import { Line } from './line.ts';
import { matchContainers } from './match-containers.ts';
import { OpenBlocks } from './open-blocks.ts';

const taskMark = /^\[([ xX])\](?:[ \t]+|$)/;

/** Blocks whose lines open nothing. */
const isOpaque = ({ kind }: Block) =>
  kind === 'code' || kind === 'math' || kind === 'comment' || kind === 'summary';

/**
 * Reads CommonMark with the tables, task items, strikethrough and footnotes of GFM, and formulas in
 * TeX, line by line, as the text arrives. It never goes back: a line changes only the blocks that are still open, so the cost of a
 * character does not depend on how much came before it, and where the text was cut on its way makes
 * no difference to the document. HTML is text, but for comments, `<details>` and a few elements that
 * mark text (see `html-syntax.ts`).
 */
export class BlockParser {
  readonly #sink: BlockSink;
  readonly #open: OpenBlocks;
  #length = 0;
  /** The unfinished line, while it is not known what it is. */
  #waiting = '';
  /** The block that the rest of the current line goes to, once it is known. */
  #live: Leaf | undefined;
  #afterReturn = false;

  constructor(sink: BlockSink, root: Block) {
    this.#sink = sink;
    this.#open = new OpenBlocks(sink, root);
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
    this.#open.closeTo(0);
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
    if (complete || isDecided(this.#waiting, this.#open.tip, this.#open.depth > 2)) {
      const line = this.#waiting;
      this.#waiting = '';
      if (complete) this.#takeWholeLine(line);
      else this.#takeLine(line, false);
    }
  }

  // --- lines -----------------------------------------------------------------------------------

  /** Takes a line; the end of `<details>` that begin on it is a line of its own. */
  #takeWholeLine(text: string): void {
    const end = extras()?.detailsEndWithin(text) ?? text.length;
    this.#takeLine(text.slice(0, end), true);
    if (end < text.length) this.#takeLine(text.slice(end), true);
  }

  #takeLine(text: string, complete: boolean): void {
    this.#open.line += 1;
    if (this.#open.count > maxBlocks) this.#giveUp();
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
    this.#takeText(line, opened);
    this.#open.touch(blank, matched);
    if (complete) this.#endLine();
    else if (isLeaf(this.#open.tip)) this.#live = this.#open.tip;
  }

  /** Opens the blocks that begin on the line. */
  #openContainers(line: Line, matched: number): 'opened' | 'none' {
    let depth = matched;
    let opened = false;
    for (;;) {
      const container = this.#open.at(depth - 1);
      if (line.blank || isOpaque(container)) break;
      if (line.indent > 3) {
        if (this.#open.tip.kind === 'paragraph') break;
        this.#open.openAt(depth, this.#open.code(undefined, ''));
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
      this.#open.openAt(depth, this.#open.code({ mark: fence.mark, indent }, fence.info));
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
      this.#open.openAt(at, { ...list, ...this.#open.containerBase() });
    }
    const contentIndent = indent + marker.width + spaces;
    const item = { kind: 'item', contentIndent, task: undefined } as const;
    this.#open.openAt(inList ? depth : this.#open.depth, {
      ...item,
      ...this.#open.containerBase(),
    });
    return true;
  }

  /** Gives what is left of the line to the open leaf, or to a new paragraph. */
  #takeText(line: Line, opened: boolean): void {
    const tip = this.#open.tip;
    if (tip.kind === 'code') {
      if (!(opened && tip.fence)) appendToCode(this.#sink, tip, line.rest);
    } else if (line.blank) return;
    else if (tip.kind === 'comment') return;
    else if (tip.kind === 'summary') extras()?.appendToSummary(this.#sink, tip, line.content);
    else if (tip.kind === 'math') this.#sink.append(tip, `\n${line.content}`);
    else if (tip.kind === 'paragraph') appendToParagraph(this.#sink, tip, `\n${line.content}`);
    else if (tip.kind === 'heading') this.#appendLive(tip, line.content);
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
        this.#sink.alert(parent);
        return;
      }
    }
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
    const line = this.#waiting;
    this.#waiting = '';
    if (this.#live) {
      this.#live = undefined;
      this.#endLine();
    } else if (line) this.#takeWholeLine(line);
  }

  // --- text of leaves --------------------------------------------------------------------------

  #appendLive(leaf: Leaf, text: string): void {
    if (leaf.kind === 'paragraph') appendToParagraph(this.#sink, leaf, text);
    else if (leaf.kind === 'heading') appendToHeading(this.#sink, leaf, text);
    else this.#sink.append(leaf, text);
  }

  /** Stops reading Markdown: the rest of the text is shown as it is. */
  #giveUp(): void {
    if (this.#open.tip.kind === 'plain') return;
    this.#open.count = 0;
    this.#endUnfinishedLine();
    this.#open.closeTo(1);
    this.#open.push({ kind: 'plain', ...this.#open.base() });
  }
}
