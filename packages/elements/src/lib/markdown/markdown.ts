import { html, LitElement } from 'lit';
import { property } from 'lit/decorators.js';

export class InlayMarkdown extends LitElement {
  /** The Markdown to show. It may grow while it streams, and may be replaced. */
  @property() text = '';

  protected override render() {
    return html`<p>${this.text}</p>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'inlay-markdown': InlayMarkdown;
  }
}
