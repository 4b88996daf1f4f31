import type { Entry } from '@inlay/client';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { FollowController } from '../controllers/follow-controller.ts';
import { plural } from '../i18n/format.ts';
import { english, type Strings } from '../i18n/strings.ts';
import { icons } from '../icons/icons.ts';
import { base } from '../theme/base.styles.ts';
import { chunksOf } from './chunks.ts';
import { styles } from './message-list.styles.ts';

/** Whether an entry itself shows that the agent works. */
function showsWork(entry: Entry): boolean {
  if (entry.kind === 'agent') return entry.progress === 'streaming' && entry.text !== '';
  if (entry.kind === 'thinking') return entry.progress === 'streaming';
  return entry.kind === 'tool' && entry.progress !== 'done' && entry.progress !== 'failed';
}

const noImages: readonly string[] = [];

/**
 * @summary The conversation: everything said and done, in order, following its end while the
 * reader is there.
 *
 * @slot empty - Shown while nothing has been said.
 *
 * @csspart scroller - What scrolls.
 * @csspart jump - The button that leads back to the end.
 * @csspart bubble - What the person said.
 * @csspart answer - What the agent said.
 * @csspart actions - The buttons below an answer.
 */
export class InlayMessageList extends LitElement {
  static override styles = [base, styles];

  readonly #follow = new FollowController(this);
  #chunks: readonly (readonly Entry[])[] = [];
  /** How many entries there were when the reader was last at the bottom. */
  #seen = 0;

  @property({ attribute: false }) entries: readonly Entry[] = [];

  /** Whether the agent works. */
  @property({ type: Boolean }) running = false;

  /** Whether what was said before is still being read. */
  @property({ type: Boolean }) loading = false;

  /** Whether answers can be rated. */
  @property({ type: Boolean }) rateable = false;

  /** Whether the person can decide on nothing at the moment. */
  @property({ type: Boolean }) locked = false;

  /** Origins from which images in answers may be loaded. */
  @property({ attribute: false }) imageOrigins: readonly string[] = noImages;

  @property({ attribute: 'agent-name' }) agentName = '';

  @property({ attribute: false }) strings: Strings = english;

  /** Goes to the end of the conversation. */
  scrollToEnd() {
    this.#follow.toBottom();
  }

  protected override firstUpdated() {
    const scroller = this.renderRoot.querySelector<HTMLElement>('.scroller');
    const content = this.renderRoot.querySelector<HTMLElement>('.content');
    if (scroller && content) this.#follow.attach(scroller, content);
  }

  protected override willUpdate(changed: PropertyValues<this>) {
    if (changed.has('entries')) this.#chunks = chunksOf(this.entries, this.#chunks);
    if (this.#follow.following || this.entries.length < this.#seen) {
      this.#seen = this.entries.length;
    }
  }

  #renderEntry(entry: Entry, last: boolean): TemplateResult {
    const { strings } = this;
    switch (entry.kind) {
      case 'user':
        return html`<inlay-user-message
          exportparts="bubble"
          .entry=${entry}
          .strings=${strings}
        ></inlay-user-message>`;
      case 'agent':
        return html`<inlay-agent-message
          exportparts="content: answer, actions"
          .entry=${entry}
          .strings=${strings}
          .agentName=${this.agentName}
          .rateable=${this.rateable && entry.id !== null}
          .imageOrigins=${this.imageOrigins}
        ></inlay-agent-message>`;
      case 'thinking':
        return html`<inlay-thinking .entry=${entry} .strings=${strings}></inlay-thinking>`;
      case 'tool':
        return html`<inlay-tool-call
          .entry=${entry}
          .strings=${strings}
          .locked=${this.locked}
        ></inlay-tool-call>`;
      case 'notice':
        return html`<inlay-notice
          .entry=${entry}
          .strings=${strings}
          .last=${last && !this.locked}
        ></inlay-notice>`;
    }
  }

  #renderChunk(chunk: readonly Entry[], tail: boolean) {
    const { strings, agentName, rateable, imageOrigins, locked } = this;
    return guard([chunk, tail, strings, agentName, rateable, imageOrigins, locked], () => {
      const last = tail ? chunk.at(-1) : undefined;
      return html`<div class="chunk ${tail ? 'tail' : ''}">
        ${repeat(
          chunk,
          (entry) => entry.key,
          (entry) =>
            html`<div class="row ${entry.kind}">${this.#renderEntry(entry, entry === last)}</div>`,
        )}
      </div>`;
    });
  }

  /** Three dots while the agent works and nothing on screen shows it. */
  #renderPulse() {
    const last = this.entries.at(-1);
    if (!this.running || (last && showsWork(last))) return nothing;
    return html`<div class="pulse" aria-hidden="true"><i></i><i></i><i></i></div>`;
  }

  #renderJump() {
    if (this.#follow.following || this.entries.length === 0) return nothing;
    const { strings } = this;
    const fresh = this.entries.slice(this.#seen).filter(({ kind }) => kind === 'agent').length;
    return html`<button
      class="jump ${fresh > 0 ? 'new' : ''}"
      part="jump"
      aria-label=${fresh > 0 ? nothing : strings.jumpToLatest}
      @click=${this.scrollToEnd}
    >
      ${fresh > 0 ? html`<bdi>${plural(strings, strings.newMessages, fresh)}</bdi>` : nothing}
      ${icons.down}
    </button>`;
  }

  protected override render() {
    const { strings, entries } = this;
    const empty = entries.length === 0;
    return html`
      <div
        class="scroller"
        part="scroller"
        role="log"
        aria-live="off"
        aria-busy=${this.running}
        aria-label=${strings.messages}
        tabindex="0"
      >
        <div class="content">
          <div class="empty" ?hidden=${!empty || this.loading}><slot name="empty"></slot></div>
          ${
            empty && this.loading
              ? html`<div class="skeleton">
                  <span class="visually-hidden">${strings.loadingEarlier}</span>
                  <i></i><i></i><i></i><i></i>
                </div>`
              : nothing
          }
          ${repeat(
            this.#chunks,
            (chunk) => chunk[0]?.key,
            (chunk, index) => this.#renderChunk(chunk, index === this.#chunks.length - 1),
          )}
          ${this.#renderPulse()}
        </div>
      </div>
      ${this.#renderJump()}
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-message-list': InlayMessageList;
  }
}
