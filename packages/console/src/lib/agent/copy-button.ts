import { html, LitElement } from 'lit';
import { property, state } from 'lit/decorators.js';

/** How long the button confirms, in milliseconds. */
const confirmationMs = 2000;

/** A button that copies a text. */
export class CopyButton extends LitElement {
  @property({ attribute: false }) text = '';
  /** Describes the text for screen readers. */
  @property({ attribute: false }) label = '';
  @state() private state: 'ready' | 'copied' | 'failed' = 'ready';

  override createRenderRoot() {
    return this;
  }

  override render() {
    const names = { ready: 'Copy', copied: 'Copied', failed: 'Copy it by hand' };
    const name = names[this.state];
    return html`
      <button aria-label="${name}: ${this.label}" @click=${this.#copy}>${name}</button>
      <span class="hidden" role="status">${this.state === 'ready' ? '' : name}</span>
    `;
  }

  readonly #copy = async () => {
    try {
      await navigator.clipboard.writeText(this.text);
      this.state = 'copied';
    } catch {
      // Browsers allow it only over HTTPS and on localhost.
      const code = this.parentElement?.querySelector('code');
      if (code) getSelection()?.selectAllChildren(code);
      this.state = 'failed';
    }
    setTimeout(() => {
      this.state = 'ready';
    }, confirmationMs);
  };
}
