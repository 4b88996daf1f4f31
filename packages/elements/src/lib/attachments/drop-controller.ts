import type { ReactiveController, ReactiveControllerHost } from 'lit';

/**
 * Takes files that are dropped onto an element. Asks for an update when a drag with files comes in
 * or goes out.
 */
export class DropController implements ReactiveController {
  readonly #host: ReactiveControllerHost & EventTarget;
  readonly #options: {
    readonly accepts: () => boolean;
    readonly onFiles: (files: readonly File[]) => void;
  };
  /** Elements under the pointer, of which each tells of its own. */
  #depth = 0;

  constructor(
    host: ReactiveControllerHost & EventTarget,
    options: {
      /** Whether files can be taken now. Where not, the page gets them. */
      readonly accepts: () => boolean;
      readonly onFiles: (files: readonly File[]) => void;
    },
  ) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** Whether files hang over the element. */
  get over(): boolean {
    return this.#depth > 0;
  }

  hostConnected() {
    for (const type of drags) this.#host.addEventListener(type, this.#handle);
  }

  hostDisconnected() {
    for (const type of drags) this.#host.removeEventListener(type, this.#handle);
    this.#depth = 0;
  }

  #handle = (event: Event) => {
    const { type, dataTransfer } = event as DragEvent;
    if (!dataTransfer?.types.includes('Files') || !this.#options.accepts()) return;
    event.preventDefault();
    const was = this.over;
    if (type === 'dragenter') this.#depth += 1;
    if (type === 'dragleave') this.#depth = Math.max(0, this.#depth - 1);
    if (type === 'dragover') dataTransfer.dropEffect = 'copy';
    if (type === 'drop') {
      this.#depth = 0;
      this.#options.onFiles([...dataTransfer.files]);
    }
    if (was !== this.over) this.#host.requestUpdate();
  };
}

const drags = ['dragenter', 'dragover', 'dragleave', 'drop'] as const;
