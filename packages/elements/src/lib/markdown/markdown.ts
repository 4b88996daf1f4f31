import { adoptStyles, html, LitElement, nothing, type PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import { emit } from '../events.ts';
import { english } from '../i18n/languages/en.ts';
import type { Strings } from '../i18n/strings.ts';
import { onElementLoad, wantElement } from '../lazy-elements.ts';
import { reducedMotion } from '../theme/base.styles.ts';
import type { CitationMarks } from './citations/citation-marks.ts';
import type { Citation } from './citations/sources.ts';
import { extras } from './extras.ts';
import { MarkdownDocument } from './markdown-document.ts';
import { ExtrasDetector } from './needs-extras.ts';
import { textStyles } from './styles/text.styles.ts';

/** Longest wait for a frame, in milliseconds: a hidden page gets none but has to be updated. */
const maxFrameWait = 250;

/**
 * Characters from which blocks are laid out only near the view. Shorter text is laid out at once: the
 * height of what was never laid out is an estimate.
 */
const longText = 20_000;

const none: readonly never[] = [];

/** The strings that stand in what was written. */
const words = [
  'copy',
  'wrapCode',
  'codeBlock',
  'table',
  'taskDone',
  'taskOpen',
  'alertNote',
  'alertTip',
  'alertImportant',
  'alertWarning',
  'alertCaution',
  'loadImage',
  'footnote',
  'footnotes',
  'footnoteBack',
  'source',
] as const;

function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, maxFrameWait);
    const frame = requestAnimationFrame(done);
    function done() {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      resolve();
    }
  });
}

/**
 * @summary Shows Markdown, also while it is still being written.
 *
 * Text that grows costs the same for each piece, however long it already is: finished blocks are in the
 * page once and are not touched again. Nothing is drawn, or takes clicks, outside the element. HTML in
 * the text is shown as text, but for comments, `<details>` and elements that only mark text, such as
 * `<sub>`; links lead only to `https`, `http`, `mailto` and `tel` and show their host where their text
 * names another, and pictures are loaded only from `imageOrigins`, or when the user
 * wants one. What colours code and what draws formulas is fetched when there is something for it.
 *
 * @fires inlay-announce - A block of code was copied, or could not be.
 * @fires inlay-link-request - A link is about to be opened. Prevent it to cancel.
 * @fires inlay-link - A link was opened.
 * @fires inlay-copy - The user copied a block of code. `detail.text` is the code.
 *
 * @csspart content - Everything.
 * @csspart heading - A heading.
 * @csspart list - A list.
 * @csspart quote - A quotation.
 * @csspart alert-title - The title of an alert, such as "Note".
 * @csspart details - A part that the user opens.
 * @csspart summary - What is shown of it while it is closed.
 * @csspart code - A block of code.
 * @csspart code-header - Its first line.
 * @csspart code-language - The language in it.
 * @csspart wrap - The button that wraps its lines.
 * @csspart copy - The copy button in it.
 * @csspart inline-code - Inline code.
 * @csspart link - A link.
 * @csspart table - A table.
 * @csspart math - A formula.
 * @csspart footnotes - The footnotes.
 * @csspart footnote-mark - A footnote's number.
 * @csspart citation - A source's number in the text.
 * @csspart sources - The list of sources.
 * @csspart source-card - What a source's number shows when it is pressed.
 * @csspart image - An image.
 * @csspart blocked-image - The button that stands for a picture that is not loaded.
 * @csspart task - The box of a task.
 * @csspart rule - A line between paragraphs.
 * @csspart plain - Text beyond the length that is read as Markdown.
 */
export class InlayMarkdown extends LitElement {
  static override styles = [textStyles, reducedMotion];

  #document: MarkdownDocument | undefined;
  readonly #content = document.createElement('div');
  readonly #chosenImages = new Set<string>();
  readonly #detector = new ExtrasDetector();
  /** Whether the document was rendered with `markdown-extras.ts`. */
  #hasExtras = false;
  #citations: CitationMarks | undefined;
  #unsubscribe: (() => void) | undefined;

  /** The Markdown. It may grow at its end while it streams, and may be replaced at any time. */
  @property({ attribute: false }) text = '';

  /** More text is on its way: half-open syntax at the end is shown as what it is about to be. */
  @property({ type: Boolean }) streaming = false;

  /** Origins that pictures are loaded from, such as `https://cdn.example`. None by default. */
  @property({ attribute: false }) imageOrigins: readonly string[] = [];

  /** What the text is based on. Marks and the list of sources come when it is whole. */
  @property({ attribute: false }) citations: readonly Citation[] = none;

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  constructor() {
    super();
    this.#content.setAttribute('part', 'content');
    this.#content.addEventListener('click', this.#handleClick);
    this.addEventListener('click', this.#handleLink);
    this.addEventListener('auxclick', this.#handleLink);
  }

  /** While text streams in, one rendering per frame is enough, whatever arrives in between. */
  protected override async scheduleUpdate(): Promise<void> {
    if (this.hasUpdated && this.streaming) await nextFrame();
    // What is shown stays until the chunk has loaded. If that fails, the text is shown without it.
    if (!extras() && this.#needsExtras()) await wantElement('markdown-extras');
    await super.scheduleUpdate();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#unsubscribe = onElementLoad(this.#takeExtras);
    this.#takeExtras();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unsubscribe?.();
  }

  /** Renders the text again with the extras, which were loaded later. */
  readonly #takeExtras = (): void => {
    if (this.hasUpdated && !this.#hasExtras && extras() && this.#needsExtras())
      this.requestUpdate();
  };

  #needsExtras(): boolean {
    return this.#detector.test(this.text) || (!this.streaming && this.citations.length > 0);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    // Another table with the same strings needs no new rendering.
    const before = changed.get('strings') ?? this.strings;
    const speaksAnew = words.some((word) => before[word] !== this.strings[word]);
    const hasExtras = extras() !== undefined && (this.#hasExtras || this.#needsExtras());
    const isNew = changed.has('imageOrigins') || speaksAnew || hasExtras !== this.#hasExtras;
    this.#hasExtras = hasExtras;
    if (isNew || !this.#document?.update(this.text, this.streaming)) {
      const { imageOrigins, strings } = this;
      const chosenImages = this.#chosenImages;
      this.#document = new MarkdownDocument(this.#content, {
        imageOrigins,
        strings,
        chosenImages,
        onEntities: this.#markAgain,
      });
      this.#document.update(this.text, this.streaming);
    }
    this.#content.classList.toggle('long', this.text.length > longText);
    this.#updateExtras(this.#document);
  }

  /** Adopts the styles of the extras, and updates the citation marks. Streaming text has none. */
  #updateExtras(document: MarkdownDocument): void {
    const rare = extras();
    if (!rare || !this.#hasExtras) return;
    if (!this.#citations) {
      const { elementStyles } = this.constructor as typeof InlayMarkdown;
      adoptStyles(this.renderRoot as ShadowRoot, [...elementStyles, ...rare.extraStyles]);
      this.#citations = new rare.CitationMarks(this.#content);
    }
    const citations = this.streaming ? none : this.citations;
    this.#citations.mark(document, this.text, citations, this.strings);
  }

  /** Restores the citation marks, which are lost when text is rendered again. */
  #markAgain = (): void => {
    this.#citations?.invalidate();
    this.requestUpdate();
  };

  /** Dispatches the link events, for all mouse buttons, so that the page can prevent opening. */
  #handleLink = (event: MouseEvent): void => {
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
    if (!link || event.button > 1) return;
    const { href } = link;
    if (emit(this, 'inlay-link-request', { href })) emit(this, 'inlay-link', { href });
    else event.preventDefault();
  };

  #handleClick = (event: Event): void => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (!button) return;
    const { note, back, source } = button.dataset;
    const block = button.closest('.code');
    if (note) goTo(this.#content.querySelector(`.notes > ol > :nth-child(${Number(note)})`));
    else if (back) goTo(this.#content.querySelector(`[data-note="${Number(back)}"]`));
    else if (source) this.#showSource(button, Number(source));
    else if (block && button.matches('.copy')) void this.#copy(block, button);
    else if (block && button.matches('.wrap')) {
      button.ariaPressed = String(block.classList.toggle('wrapped'));
    }
  };

  async #copy(block: Element, button: Element): Promise<void> {
    const text = this.#document?.codeOf(block);
    if (text === undefined) return;
    const { strings } = this;
    const isCopied = await extras()?.copyCode(block, button, text, strings);
    emit(this, 'inlay-announce', { text: isCopied ? strings.copied : strings.copyFailed });
    if (isCopied) emit(this, 'inlay-copy', { text });
  }

  #showSource(mark: Element, number: number): void {
    if (!this.#citations?.show(mark, number))
      goTo(this.renderRoot.querySelector(`.sources li:nth-child(${number})`));
  }

  protected override render() {
    return html`${this.#content}${this.streaming ? nothing : this.#citations?.render(this.strings)}`;
  }
}

/** Scrolls to an element and moves focus to it. */
function goTo(place: Element | null): void {
  if (!(place instanceof HTMLElement)) return;
  for (let at = place.closest('details'); at; at = at.parentElement?.closest('details') ?? null) {
    at.open = true;
  }
  place.focus({ preventScroll: true });
  place.scrollIntoView({ block: 'nearest' });
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-markdown': InlayMarkdown;
  }
}
