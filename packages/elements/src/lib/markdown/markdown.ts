import { html, LitElement, type PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import { english, type Strings } from '../i18n/strings.ts';
import { stillness } from '../theme/base.styles.ts';
import { markdownStyles } from './markdown.styles.ts';
import { MarkdownDocument } from './markdown-document.ts';

/** Longest wait for a frame. A page that is not shown gets none, and must still end up right. */
const maxFrameWait = 250;

/** How long the button of a block of code says that it was copied, in milliseconds. */
const copiedFor = 2_000;

/** The strings that stand in what was written. */
const words = ['copy', 'codeBlock', 'table', 'taskDone', 'taskOpen', 'imageBlocked'] as const;

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
 * page once and are not touched again. HTML in the text is shown as text, links lead only to `https`,
 * `http`, `mailto` and `tel`, and pictures are loaded only from `imageOrigins`.
 *
 * @fires inlay-copy - The person copied a block of code. `detail.text` is the code.
 *
 * @csspart content - Everything.
 * @csspart heading - A heading. @csspart list - A list. @csspart quote - A quotation.
 * @csspart code - A block of code. @csspart code-header - Its first line.
 * @csspart code-language - The language in it. @csspart copy - The copy button in it.
 * @csspart inline-code - Code within text. @csspart link - A link. @csspart table - A table.
 * @csspart image - A picture. @csspart blocked-image - What stands for a picture that is not loaded.
 * @csspart task - The box of a task. @csspart rule - A line between paragraphs.
 * @csspart plain - Text beyond the length that is read as Markdown.
 */
export class InlayMarkdown extends LitElement {
  static override styles = [markdownStyles, stillness];

  #document: MarkdownDocument | undefined;
  readonly #content = document.createElement('div');

  /** The Markdown. It may grow at its end while it streams, and may be replaced at any time. */
  @property({ attribute: false }) text = '';

  /** More text is on its way: half-open syntax at the end is shown as what it is about to be. */
  @property({ type: Boolean }) streaming = false;

  /** Origins that pictures are loaded from, such as `https://cdn.example`. None by default. */
  @property({ attribute: false }) imageOrigins: readonly string[] = [];

  @property({ attribute: false }) strings: Strings = english;

  constructor() {
    super();
    this.#content.setAttribute('part', 'content');
    this.#content.addEventListener('click', this.#handleClick);
  }

  /** While text streams in, one rendering per frame is enough, whatever arrives in between. */
  protected override async scheduleUpdate(): Promise<void> {
    if (this.hasUpdated && this.streaming) await nextFrame();
    await super.scheduleUpdate();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    // Another table with the same words is no reason to write everything anew.
    const before = changed.get('strings') ?? this.strings;
    const speaksAnew = words.some((word) => before[word] !== this.strings[word]);
    const isNew = changed.has('imageOrigins') || speaksAnew;
    if (isNew || !this.#document?.update(this.text, this.streaming)) {
      const { imageOrigins, strings } = this;
      this.#document = new MarkdownDocument(this.#content, { imageOrigins, strings });
      this.#document.update(this.text, this.streaming);
    }
  }

  #handleClick = (event: Event): void => {
    const button = event.target instanceof Element ? event.target.closest('button.copy') : null;
    if (button instanceof HTMLButtonElement) void this.#copy(button);
  };

  async #copy(button: HTMLButtonElement): Promise<void> {
    const block = button.closest('.code');
    const text = block && this.#document?.codeOf(block);
    if (!block || text === undefined || text === null) return;
    const { copy, copied, copyFailed } = this.strings;
    const status = this.#statusOf(block);
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const code = block.querySelector('code');
      if (code) getSelection()?.selectAllChildren(code);
      status.textContent = copyFailed;
      return;
    }
    button.textContent = copied;
    status.textContent = copied;
    this.dispatchEvent(
      new CustomEvent('inlay-copy', { detail: { text }, bubbles: true, composed: true }),
    );
    setTimeout(() => {
      button.textContent = copy;
      status.textContent = '';
    }, copiedFor);
  }

  /** The region that screen readers listen to. It has to be there before it says something. */
  #statusOf(block: Element): Element {
    const existing = block.querySelector('[role=status]');
    if (existing) return existing;
    const status = document.createElement('span');
    status.setAttribute('role', 'status');
    status.className = 'status';
    block.append(status);
    return status;
  }

  protected override render() {
    return html`${this.#content}`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-markdown': InlayMarkdown;
  }
}
