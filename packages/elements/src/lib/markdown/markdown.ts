import { adoptStyles, html, LitElement, nothing, type PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import { excludeFromGuard } from '../dom-guard.ts';
import { emit } from '../events.ts';
import { english } from '../i18n/languages/en.ts';
import type { Strings } from '../i18n/strings.ts';
import { onElementLoad, waitForElement } from '../lazy-elements.ts';
import { reducedMotion } from '../theme/base.styles.ts';
import type { Citation } from './citations/sources.ts';
import { type CitationList, extras } from './extras.ts';
import { MarkdownDocument } from './markdown-document.ts';
import { ExtrasDetector, longTextLength } from './needs-extras.ts';
import { textStyles } from './styles/text.styles.ts';
import { ContentGuard } from './view/content-guard.ts';

/** Maximum wait for a frame, in milliseconds. A hidden page gets no frames, but must be updated. */
const maxFrameWait = 250;

/** Maximum time that text is withheld until the code for its rare syntax has loaded, in milliseconds. */
const maxExtrasWait = 3_000;

const none: readonly never[] = [];

/** Keys of the strings in the rendered content. */
const contentStrings = [
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
 * @summary Renders Markdown, also while it streams.
 *
 * Rendering a piece of streaming text takes the same time however long the text already is, because the
 * DOM of complete blocks does not change. The element neither paints nor receives clicks outside its box.
 * HTML is shown as text, except for `<details>` and inline elements such as `<sub>`; comments are
 * omitted. A line end in a paragraph is a line break. Links have the schemes `https`, `http`, `mailto` or
 * `tel`, and show their host if their text contains another address. Images are loaded from
 * `imageOrigins`, others only when the user clicks them. The modules that highlight code and render
 * formulas are lazy-loaded. Streaming text that other code has changed is rendered again from its source.
 * Page translators can translate the text when it is complete.
 *
 * @fires inlay-link-request - A link is about to be opened. Prevent it to cancel.
 * @fires inlay-link - A link was opened.
 * @fires inlay-copy - The user copied a code block. `detail.text` is the code.
 *
 * @csspart content - The rendered text.
 * @csspart heading - A heading.
 * @csspart list - A list.
 * @csspart quote - A blockquote.
 * @csspart alert-title - The title of an alert, such as "Note".
 * @csspart details - A `<details>` element.
 * @csspart summary - The summary of a `<details>` element.
 * @csspart code - A code block.
 * @csspart code-header - The header of a code block.
 * @csspart code-language - The language in the header of a code block.
 * @csspart wrap - The button that wraps the lines of a code block.
 * @csspart copy - The button that copies a code block.
 * @csspart inline-code - Inline code.
 * @csspart link - A link.
 * @csspart table - A table.
 * @csspart math - A formula.
 * @csspart footnotes - The footnotes.
 * @csspart footnote-mark - The number of a footnote in the text.
 * @csspart citation - The number of a source in the text.
 * @csspart sources - The list of sources.
 * @csspart source-card - The popover with a source.
 * @csspart image - An image.
 * @csspart blocked-image - The button that loads an image from an origin that is not allowed.
 * @csspart task - The checkbox of a task.
 * @csspart rule - A thematic break.
 * @csspart plain - Text beyond the maximum length of Markdown, as plain text.
 */
export class InlayMarkdown extends LitElement {
  static override styles = [textStyles, reducedMotion];

  #document: MarkdownDocument | undefined;
  readonly #content = document.createElement('div');
  readonly #guard = new ContentGuard(this.#content);
  readonly #chosenImages = new Set<string>();
  readonly #detector = new ExtrasDetector();
  /** Whether the document contains rare syntax that was rendered without `markdown-extras.ts`. */
  #lacksExtras = false;
  /** Settles when the extras have loaded, when loading failed, or after `maxExtrasWait`. */
  #extrasWait: Promise<unknown> | undefined;
  #citations: CitationList | undefined;
  /** Resolves in the frame after the last update. */
  #frame: Promise<void> | undefined;
  #unsubscribe: (() => void) | undefined;

  /** The Markdown. Text can be appended while it streams, and the text can be replaced at any time. */
  @property({ attribute: false }) text = '';

  /** Whether more text may follow. Unclosed syntax at the end is then rendered as if it was closed. */
  @property({ type: Boolean, reflect: true }) streaming = false;

  /** Origins from which images are loaded, such as `https://cdn.example`. */
  @property({ attribute: false }) imageOrigins: readonly string[] = [];

  /** Citations of the text. Their marks and the list of sources are shown once the text is complete. */
  @property({ attribute: false }) citations: readonly Citation[] = none;

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  constructor() {
    super();
    this.#content.setAttribute('part', 'content');
    excludeFromGuard(this.#content);
    this.#content.addEventListener('click', this.#handleClick);
    this.addEventListener('click', this.#handleLink);
    this.addEventListener('auxclick', this.#handleLink);
  }

  /** Limits updates of streaming text to one per frame, and waits for the extras that the text needs. */
  protected override async scheduleUpdate(): Promise<void> {
    if (this.hasUpdated && this.streaming) {
      await this.#frame;
      const { wait } = this.#guard;
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    }
    // The previous content stays while the extras load. If loading fails or takes too long, the text is
    // rendered without the extras, and again once they have loaded.
    if (!extras() && this.#needsExtras()) {
      this.#extrasWait ??= Promise.race([waitForElement('markdown-extras'), afterExtrasWait()]);
      await this.#extrasWait;
    }
    if (this.streaming) this.#frame = nextFrame();
    await super.scheduleUpdate();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#unsubscribe = onElementLoad(this.#updateIfExtrasLoaded);
    this.#updateIfExtrasLoaded();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unsubscribe?.();
  }

  /** Renders the text again if the extras that it needs have loaded since. */
  readonly #updateIfExtrasLoaded = (): void => {
    if (this.#lacksExtras && extras()) this.requestUpdate();
  };

  #needsExtras(): boolean {
    const { text, streaming, citations } = this;
    return this.#detector.test(text, streaming) || (!streaming && citations.length > 0);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const previous = changed.get('strings') ?? this.strings;
    const stringsChanged = contentStrings.some((key) => previous[key] !== this.strings[key]);
    const hasExtras = extras() !== undefined;
    const needsExtras = this.#needsExtras();
    // Text before the first rare syntax is rendered the same without the extras, and is kept.
    const isDamaged = this.#guard.isDamaged;
    const isOutdated =
      isDamaged ||
      changed.has('imageOrigins') ||
      stringsChanged ||
      (this.#lacksExtras && hasExtras);
    this.#lacksExtras = needsExtras && !hasExtras;
    this.#guard.change(() => {
      let document = this.#document;
      if (isOutdated || !document?.update(this.text, this.streaming)) {
        document = this.#createDocument();
      }
      this.#document = document;
      if (needsExtras || this.#citations) this.#updateExtras(document);
    }, isDamaged);
    this.#content.classList.toggle('long', this.text.length > longTextLength);
    // Page translators replace text nodes. They can translate the text when it is complete.
    if (this.streaming) this.#content.translate = false;
    else this.#content.removeAttribute('translate');
    this.#guard.observe(this.streaming);
  }

  /** Renders the text from its source. */
  #createDocument(): MarkdownDocument {
    const { imageOrigins, strings } = this;
    const chosenImages = this.#chosenImages;
    const document = new MarkdownDocument(this.#content, {
      imageOrigins,
      strings,
      chosenImages,
      onEntitiesLoaded: this.#resetMarks,
    });
    document.update(this.text, this.streaming);
    return document;
  }

  /** Adopts the styles of the extras, and updates the citation marks. Streaming text has no marks. */
  #updateExtras(document: MarkdownDocument): void {
    const module = extras();
    if (!module) return;
    if (!this.#citations) {
      const { elementStyles } = this.constructor as typeof InlayMarkdown;
      adoptStyles(this.renderRoot as ShadowRoot, [...elementStyles, ...module.extraStyles]);
      this.#citations = new module.CitationMarks(this.#content);
    }
    const citations = this.streaming ? none : this.citations;
    this.#citations.update(document, this.text, citations, this.strings);
  }

  /** Restores the citation marks, which are lost when text is rendered again. */
  #resetMarks = (): void => {
    this.#citations?.invalidate();
    this.requestUpdate();
  };

  /** Dispatches the link events for the main and the middle mouse button, so that the page can prevent opening. */
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
    if (note)
      focusElement(this.#content.querySelector(`.notes > ol > :nth-child(${Number(note)})`));
    else if (back) focusElement(this.#content.querySelector(`[data-note="${Number(back)}"]`));
    else if (source) this.#showSource(button, Number(source));
    else if (block && button.matches('.copy')) void this.#copy(block, button);
  };

  async #copy(block: Element, button: Element): Promise<void> {
    const text = this.#document?.codeOf(block);
    if (text === undefined) return;
    const { strings } = this;
    const isCopied = await extras()?.copyCode(block, button, text, strings);
    emit(this, 'inlay-announce', { text: isCopied ? strings.copied : strings.copyFailed });
    if (isCopied) emit(this, 'inlay-copy', { text });
  }

  #showSource(mark: HTMLElement, number: number): void {
    if (!this.#citations?.show(mark, number))
      focusElement(this.renderRoot.querySelector(`.sources li:nth-child(${number})`));
  }

  protected override render() {
    const { strings } = this;
    return html`${this.#content}<span id="new-tab" hidden>${strings.opensNewTab}</span>${
      this.streaming ? nothing : this.#citations?.render(strings)
    }`;
  }
}

const afterExtrasWait = () => new Promise((resolve) => setTimeout(resolve, maxExtrasWait));

/** Opens the details around an element, moves the focus to it and scrolls it into view. */
function focusElement(element: Element | null): void {
  if (!(element instanceof HTMLElement)) return;
  let details = element.closest('details');
  while (details) {
    details.open = true;
    details = details.parentElement?.closest('details') ?? null;
  }
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'nearest' });
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-markdown': InlayMarkdown;
  }
}
