import type { ReactiveController, ReactiveControllerHost } from 'lit';

/**
 * Accepts files that are dropped onto the host. Requests an update when a drag with files enters or
 * leaves the host.
 */
export class DropController implements ReactiveController {
  readonly #host: ReactiveControllerHost & EventTarget;
  readonly #options: {
    readonly accepts: () => boolean;
    readonly onFiles: (files: readonly File[]) => void;
  };
  /** Number of entered elements: `dragenter` and `dragleave` also fire for descendants. */
  #depth = 0;

  constructor(
    host: ReactiveControllerHost & EventTarget,
    options: {
      /** Whether files can be attached now. If not, the page handles the drop. */
      readonly accepts: () => boolean;
      readonly onFiles: (files: readonly File[]) => void;
    },
  ) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** Whether files are dragged over the host. */
  get isDraggedOver(): boolean {
    return this.#depth > 0;
  }

  hostConnected() {
    for (const type of dragEvents) this.#host.addEventListener(type, this.#handle);
  }

  hostDisconnected() {
    for (const type of dragEvents) this.#host.removeEventListener(type, this.#handle);
    this.#depth = 0;
  }

  #handle = (event: Event) => {
    const { type, dataTransfer } = event as DragEvent;
    if (!dataTransfer?.types.includes('Files') || !this.#options.accepts()) return;
    event.preventDefault();
    const wasOver = this.isDraggedOver;
    if (type === 'dragenter') this.#depth += 1;
    if (type === 'dragleave') this.#depth = Math.max(0, this.#depth - 1);
    if (type === 'dragover') dataTransfer.dropEffect = 'copy';
    if (type === 'drop') {
      this.#depth = 0;
      this.#options.onFiles([...dataTransfer.files]);
    }
    if (wasOver !== this.isDraggedOver) this.#host.requestUpdate();
  };
}

const dragEvents = ['dragenter', 'dragover', 'dragleave', 'drop'] as const;
