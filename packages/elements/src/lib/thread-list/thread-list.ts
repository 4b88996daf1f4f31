import type { Sessions } from '@inlay/client';
import type { Session } from '@inlay/protocol';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { emit } from '../events.ts';
import { english } from '../i18n/languages/en.ts';
import type { Strings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';
import { wantElement } from '../lazy-elements.ts';
import { base, buttons } from '../theme/base.styles.ts';
import { InlayThread } from '../thread/thread.ts';
import { styles } from './thread-list.styles.ts';
import { Threads } from './threads.ts';
import { windowOf } from './window.ts';

/** Debounce time of the search, in milliseconds. */
const quiet = 250;

/** Estimated height of a row until one was measured, in CSS pixels. */
const usualRow = 60;

/**
 * @summary The list of the user's conversations, to search, open, rename, archive and delete them. The
 * list is virtualized: it renders only the rows near the view.
 *
 * @fires inlay-open-thread - The user opens a conversation.
 * @fires inlay-thread-deleted - A conversation was deleted.
 * @fires inlay-close-threads - The user closes the list.
 * @fires inlay-start-over - The user starts a new conversation.
 * @fires inlay-announce - Requests an announcement to screen reader users.
 *
 * @csspart search - The search field.
 * @csspart thread__base - A conversation.
 */
export class InlayThreadList extends LitElement {
  static override styles = [base, buttons, styles];

  #threads: Threads | null = null;
  #rowHeight = usualRow;
  #searchTimer: ReturnType<typeof setTimeout> | undefined;

  @state() private top = 0;
  @state() private height = 600;
  /** Id of the conversation with a pending action; empty for none. */
  @state() private busy = '';

  /** API for the user's conversations on the server. */
  @property({ attribute: false }) sessions: Sessions | null = null;

  /** Id of the conversation on screen. */
  @property() current = '';

  /** Whether the user may delete conversations. */
  @property({ type: Boolean }) deletable = false;

  /** Strings in the language of the page. */
  @property({ attribute: false }) strings: Strings = english;

  readonly #resize = new ResizeObserver(() => this.#measure());

  override connectedCallback() {
    super.connectedCallback();
    wantElement('inlay-thread');
    void this.#threads?.refresh();
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#searchTimer);
    this.#resize.disconnect();
    this.#threads?.close();
  }

  /** Moves focus into the list. */
  override focus(options?: FocusOptions) {
    this.renderRoot.querySelector('input')?.focus(options);
  }

  /** Loads the list again, because a conversation changed. */
  refresh(): void {
    void this.#threads?.refresh();
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    if (!changed.has('sessions')) return;
    this.#threads?.close();
    this.#threads = this.sessions && new Threads(this.sessions, () => this.requestUpdate());
    void this.#threads?.refresh();
  }

  protected override updated() {
    // Its parts come with the first answer, and go with the sessions.
    for (const part of this.renderRoot.querySelectorAll('.scroller, ul'))
      this.#resize.observe(part);
    const { before, after } = this.#window;
    const [first, last] = this.renderRoot.querySelectorAll<HTMLElement>('.space');
    // Set by script: a strict Content Security Policy forbids style attributes.
    first?.style.setProperty('block-size', `${before}px`);
    last?.style.setProperty('block-size', `${after}px`);
  }

  get #window() {
    const { top, height } = this;
    const count = this.#threads?.items.length ?? 0;
    return windowOf(count, { top, height, rowHeight: this.#rowHeight });
  }

  #measure() {
    this.height = this.renderRoot.querySelector('.scroller')?.clientHeight ?? 0;
    const rows = this.renderRoot.querySelectorAll('li');
    // A row with an open form is taller than the others.
    const height = Math.min(...Array.from(rows, (row) => row.getBoundingClientRect().height));
    // Not rounded: with zoom, fractions of pixels add up over many rows.
    if (height > 0 && Number.isFinite(height) && Math.abs(height - this.#rowHeight) > 0.01) {
      this.#rowHeight = height;
      this.requestUpdate();
    }
  }

  #handleScroll({ currentTarget }: Event) {
    const { scrollTop, clientHeight, scrollHeight } = currentTarget as HTMLElement;
    this.top = scrollTop;
    this.height = clientHeight;
    if (scrollHeight - scrollTop < clientHeight * 2) void this.#threads?.more();
  }

  #handleSearch({ target }: Event) {
    clearTimeout(this.#searchTimer);
    this.#searchTimer = setTimeout(async () => {
      await this.#threads?.search((target as HTMLInputElement).value);
      const { error, items, query } = this.#threads ?? {};
      if (query && !error && items?.length === 0) {
        emit(this, 'inlay-announce', { text: this.strings.noThreadsFound });
      }
    }, quiet);
  }

  async #do(id: string, act: (threads: Threads) => Promise<boolean>): Promise<boolean> {
    if (!this.#threads || this.busy) return false;
    this.busy = id;
    const done = await act(this.#threads);
    this.busy = '';
    return done;
  }

  async #delete(sessionId: string) {
    if (!(await this.#do(sessionId, (threads) => threads.delete(sessionId)))) return;
    emit(this, 'inlay-announce', { text: this.strings.threadDeleted });
    emit(this, 'inlay-thread-deleted', { sessionId });
    this.focus();
  }

  async #archive(sessionId: string) {
    const { archived } = this.#threads ?? {};
    if (!(await this.#do(sessionId, (threads) => threads.archive(sessionId)))) return;
    const { threadArchived, threadUnarchived } = this.strings;
    emit(this, 'inlay-announce', { text: archived ? threadUnarchived : threadArchived });
    this.focus();
  }

  #handleRename(event: HTMLElementEventMap['inlay-thread-rename']) {
    event.stopPropagation();
    const { sessionId, title } = event.detail;
    void this.#do(sessionId, (threads) => threads.rename(sessionId, title));
  }

  #handleArchive(event: HTMLElementEventMap['inlay-thread-archive']) {
    event.stopPropagation();
    void this.#archive(event.detail.sessionId);
  }

  #handleDelete(event: HTMLElementEventMap['inlay-thread-delete']) {
    event.stopPropagation();
    void this.#delete(event.detail.sessionId);
  }

  #handleKeydown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    emit(this, 'inlay-close-threads', {});
  }

  #renderThread(session: Session): TemplateResult {
    const { id } = session;
    return html`<li>
      <inlay-thread
        exportparts="base: thread__base"
        .session=${session}
        .strings=${this.strings}
        .current=${id === this.current}
        .archived=${this.#threads?.archived ?? false}
        .deletable=${this.deletable}
        .busy=${id === this.busy}
      ></inlay-thread>
    </li>`;
  }

  #renderState(threads: Threads) {
    const { strings } = this;
    if (threads.error) {
      return html`<div class="state" role="alert">
        <p><bdi>${strings.threadsFailed}</bdi></p>
        <button class="button" @click=${() => threads.refresh()}>${strings.retry}</button>
      </div>`;
    }
    if (threads.items.length > 0) return nothing;
    if (!threads.loaded || threads.loading) {
      return html`<div class="skeleton">
        <span class="visually-hidden">${strings.loadingThreads}</span>
        <i></i><i></i><i></i>
      </div>`;
    }
    return html`<p class="state">
      <bdi>${threads.query ? strings.noThreadsFound : strings.noThreads}</bdi>
    </p>`;
  }

  #renderList(threads: Threads) {
    const { from, to } = this.#window;
    return html`
      <div class="space"></div>
      <ul
        aria-label=${this.strings.threads}
        @inlay-thread-rename=${this.#handleRename}
        @inlay-thread-archive=${this.#handleArchive}
        @inlay-thread-delete=${this.#handleDelete}
      >
        ${repeat(
          threads.items.slice(from, to),
          ({ id }) => id,
          (session) => this.#renderThread(session),
        )}
      </ul>
      <div class="space"></div>
    `;
  }

  protected override render() {
    const { strings } = this;
    const threads = this.#threads;
    if (!threads) return nothing;
    return html`<nav aria-label=${strings.threads} @keydown=${this.#handleKeydown}>
      <div class="top">
        <button class="button new" @click=${() => emit(this, 'inlay-start-over', {})}>
          ${icons.compose} ${strings.newConversation}
        </button>
        <button
          class="icon-button close"
          aria-label=${strings.closeThreads}
          title=${strings.closeThreads}
          @click=${() => emit(this, 'inlay-close-threads', {})}
        >
          ${icons.close}
        </button>
        <input
          part="search"
          type="search"
          autocomplete="off"
          aria-label=${strings.searchThreads}
          placeholder=${strings.searchThreads}
          @input=${this.#handleSearch}
        />
      </div>
      <div class="scroller" @scroll=${this.#handleScroll}>
        ${this.#renderState(threads)} ${this.#renderList(threads)}
      </div>
      <button
        class="button quiet archived"
        aria-pressed=${threads.archived}
        @click=${() => threads.show(!threads.archived)}
      >
        ${icons.archive} ${threads.archived ? strings.showThreads : strings.showArchived}
      </button>
    </nav>`;
  }
}

export { InlayThread };

declare global {
  interface HTMLElementTagNameMap {
    'inlay-thread-list': InlayThreadList;
  }
}
