import { createElement } from '../../create-element.ts';
import type { Strings } from '../../i18n/strings.ts';
import type { CitationList, CitedDocument } from '../extras.ts';
import { insertMarks, removeMarks } from './insert-marks.ts';
import { SourceCard, supportsPopover } from './source-card.ts';
import { type Citation, citationName, renderSources, type Source, sourcesOf } from './sources.ts';

/** The citation marks in a text, and the list of their sources. */
export class CitationMarks implements CitationList {
  readonly #content: Element;
  #citations: readonly Citation[] = [];
  #sources = sourcesOf([]);
  /** The document and the citations whose marks are in the text. */
  #inserted: { document: CitedDocument; citations: readonly Citation[] } | undefined;
  #card: SourceCard | undefined;

  constructor(content: Element) {
    this.#content = content;
  }

  /** Updates the marks in the text of a document. */
  update(
    document: CitedDocument,
    text: string,
    citations: readonly Citation[],
    strings: Strings,
  ): void {
    if (citations !== this.#citations) this.#sources = sourcesOf(citations);
    this.#citations = citations;
    if (this.#inserted?.document === document && this.#inserted.citations === citations) return;
    removeMarks(this.#content);
    this.#inserted = { document, citations };
    if (citations.length === 0) return;
    insertMarks(this.#content, document, text, citations, (citation) =>
      createMark(this.#sources.byCitation.get(citation), strings),
    );
  }

  /** Makes the next call of `update` insert all marks again. */
  invalidate(): void {
    this.#inserted = undefined;
  }

  /** Renders the list of sources, and the popover that shows one of them. */
  render(strings: Strings) {
    const { list: sources } = this.#sources;
    if (sources.length > 0 && supportsPopover()) this.#card ??= new SourceCard();
    return [renderSources(sources, strings), sources.length > 0 ? this.#card?.element : undefined];
  }

  /**
   * Shows the source with a number beside its mark, or hides it if it is shown already. Returns false
   * if there is no such source or the browser has no popovers.
   */
  show(mark: HTMLElement, number: number): boolean {
    const source = this.#sources.list[number - 1];
    if (source) this.#card?.show(mark, source);
    return source !== undefined && this.#card !== undefined;
  }
}

function createMark(source: Source | undefined, strings: Strings): Element {
  const mark = createElement('sup', { part: 'citation', class: 'cite' });
  if (!source) return mark;
  const name = citationName(source, strings);
  const number = String(source.number);
  const attributes = { type: 'button', class: 'mark', 'aria-label': name, title: name };
  const button = createElement('button', { ...attributes, 'data-source': number }, number);
  if (supportsPopover()) button.ariaExpanded = 'false';
  mark.append(button);
  return mark;
}
