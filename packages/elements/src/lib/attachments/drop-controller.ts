import { css, html, type LitElement, nothing, type ReactiveController } from 'lit';
import { addStyles } from '../composer/add-styles.ts';
import type { Strings } from '../i18n/strings.ts';
import { extraIcons } from '../icons/extra-icons.ts';
import { token } from '../theme/tokens.ts';

const styles = css`
  .drop {
    position: absolute;
    inset: ${token('space-2')};
    z-index: 4;
    display: grid;
    place-content: center;
    justify-items: center;
    gap: ${token('space-2')};
    border: 2px dashed ${token('color-accent-text')};
    border-radius: ${token('radius-large')};
    background: color-mix(in oklab, ${token('color-surface')} 92%, transparent);
    color: ${token('color-accent-text')};
    font-weight: ${token('font-weight-medium')};
    pointer-events: none;
  }
`;

interface DropControllerOptions {
  /** Whether files can be attached at all. If not, the page handles the drop. */
  readonly enabled: () => boolean;
  /** Whether files can be attached now. If not, the drop has no effect. */
  readonly accepts: () => boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Browsers send `dragover` at least twice a second while something is dragged over an element. */
const dragEndMs = 1000;

/**
 * Accepts files that are dropped onto the host. Requests an update when a drag with files enters or
 * leaves the host.
 */
export class DropController implements ReactiveController {
  readonly #host: LitElement;
  readonly #options: DropControllerOptions;
  /** Number of entered elements: `dragenter` and `dragleave` also fire for descendants. */
  #depth = 0;
  /** An element that was removed during the drag fires no `dragleave`, so the drag also ends by time. */
  #endTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: LitElement, options: DropControllerOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
    addStyles(host, styles);
  }

  /** Renders a hint while files that can be attached are dragged over the host. */
  render({ dropFiles }: Strings) {
    if (this.#depth === 0 || !this.#options.enabled() || !this.#options.accepts()) return nothing;
    return html`<div class="drop" aria-hidden="true">${extraIcons.attach} ${dropFiles}</div>`;
  }

  hostConnected() {
    for (const type of dragEvents) this.#host.addEventListener(type, this.#handle);
  }

  hostDisconnected() {
    for (const type of dragEvents) this.#host.removeEventListener(type, this.#handle);
    this.#setDepth(0);
  }

  #handle = (event: Event) => {
    const { type, dataTransfer } = event as DragEvent;
    if (!dataTransfer?.types.includes('Files')) return;
    if (type === 'dragenter') this.#setDepth(this.#depth + 1);
    if (type === 'dragleave') this.#setDepth(Math.max(0, this.#depth - 1));
    if (type === 'drop') this.#setDepth(0);
    if (!this.#options.enabled()) return;
    // Without this, the browser would open the file in place of the page.
    event.preventDefault();
    const accepts = this.#options.accepts();
    if (type === 'dragover') {
      dataTransfer.dropEffect = accepts ? 'copy' : 'none';
      clearTimeout(this.#endTimer);
      this.#setDepth(this.#depth || 1);
      this.#endTimer = setTimeout(() => this.#setDepth(0), dragEndMs);
    }
    if (type === 'drop' && accepts) this.#options.onFiles([...dataTransfer.files]);
  };

  #setDepth(depth: number) {
    if (depth === 0) clearTimeout(this.#endTimer);
    if (depth > 0 !== this.#depth > 0) this.#host.requestUpdate();
    this.#depth = depth;
  }
}

const dragEvents = ['dragenter', 'dragover', 'dragleave', 'drop'] as const;
