import type { CSSResult } from 'lit';
import type { Strings } from '../i18n/strings.ts';
import type { Citation } from './citations/sources.ts';
import type {
  Alert,
  Block,
  BlockSink,
  Code,
  Definition,
  Paragraph,
  Quote,
  Reference,
  Summary,
} from './syntax/blocks.ts';
import type { InlineState } from './syntax/inline-state.ts';
import type { Inline } from './syntax/inlines.ts';
import type { Scan } from './syntax/labels.ts';
import type { Line } from './syntax/line.ts';
import type { OpenBlocks } from './syntax/open-blocks.ts';
import type { LinkTail } from './syntax/plain-link.ts';
import type { BlockView, InlineContext } from './view/block-view.ts';
import type { RenderOptions } from './view/render-options.ts';

/**
 * Extension points for rare Markdown syntax. The parser, the view and the announcer call them if an
 * implementation is installed. Without one, rare syntax is shown as text.
 */
export interface Extras {
  // --- blocks ----------------------------------------------------------------------------------
  /** Returns the index of an end tag of `<details>` within a line; otherwise the length of the line. */
  detailsEndWithin(line: string): number;
  openContainer(open: OpenBlocks, sink: BlockSink, line: Line, depth: number): boolean;
  openMath(open: OpenBlocks, sink: BlockSink, line: Line, depth: number): boolean;
  openTable(open: OpenBlocks, sink: BlockSink, paragraph: Paragraph, content: string): boolean;
  matchBlock(block: Block, line: Line, sink: BlockSink): 'matched' | 'unmatched' | 'closed';
  trackInnerFences(
    code: Pick<Code, 'innerFences' | 'language'>,
    mark: string,
    content: string,
  ): void;
  appendToSummary(sink: BlockSink, summary: Summary, line: string): void;
  alertStart(content: string): Alert | undefined;
  readDefinition(text: string, complete: boolean): Definition | 'open' | undefined;

  // --- inline content --------------------------------------------------------------------------
  readAngle(state: InlineState, tags: InlineTags): void;
  readAutolink(state: InlineState, from: number, to: number): boolean;
  readEntity(state: InlineState): void;
  readMark(state: InlineState): boolean;
  readMath(state: InlineState): boolean;
  scanLinkTail(text: string, from: number): Scan<LinkTail>;
  isCitationLabel(text: string): boolean;
  startsCitationLabel(text: string): boolean;
  decodeEntities(text: string): string;
  /** Loads the complete table of named character references. Resolves to whether it is loaded. */
  loadEntities(): Promise<boolean>;
  /** Number of lookups so far that failed because the complete table is not loaded. */
  missedNameCount(): number;

  // --- view ------------------------------------------------------------------------------------
  readonly extraStyles: readonly CSSResult[];
  createRareBlock(
    block: Block,
    context: InlineContext,
    grantCells: (cells: number) => number,
  ): BlockView | undefined;
  createRareInline(node: Inline, options: RenderOptions): Node | string;
  createAlertTitle(quote: Quote, strings: Strings): HTMLElement | undefined;
  targetToShow(text: string | null, url: string): string | undefined;
  copyCode(block: Element, button: Element, text: string, strings: Strings): Promise<boolean>;
  readonly Footnotes: new (strings: Strings) => FootnoteList;
  readonly CitationMarks: new (content: Element) => CitationList;

  // --- plain text ------------------------------------------------------------------------------
  maskBlocks(markdown: string): string;
  spokenExtras(markdown: string, strings: Strings): string;
  withoutCitationMarks(text: string): string;
}

/** Opens and closes inline HTML elements. */
export interface InlineTags {
  openTag(name: string, kind: Inline['kind'] | undefined, length: number): void;
  closeTag(name: string): void;
}

/** The footnotes of a text. */
export interface FootnoteList {
  readonly element: HTMLElement;
  add(label: string): BlockView;
  numberOf(label: string): number;
  arrange(root: Element): number;
}

/** The document that citation marks are inserted into. */
export interface CitedDocument {
  reference(label: string): Reference | undefined;
}

/** The citation marks of a text, and the list of their sources. */
export interface CitationList {
  update(
    document: CitedDocument,
    text: string,
    citations: readonly Citation[],
    strings: Strings,
  ): void;
  invalidate(): void;
  show(mark: HTMLElement, number: number): boolean;
  render(strings: Strings): unknown;
}

let installedExtras: Extras | undefined;

/** The installed implementation, which is lazy-loaded (`markdown-extras.ts`). */
export const extras = (): Extras | undefined => installedExtras;

/** Provides the implementation to all Markdown elements of the page. */
export function installExtras(implementation: Extras | undefined): void {
  installedExtras = implementation;
}
