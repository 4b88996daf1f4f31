import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { ToolsControllerOptions } from './tools-controller.ts';

/** Loads what runs the tools of the page, once the page has said that it has some. */
export class LateTools implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  readonly #options: ToolsControllerOptions;
  #loading = false;

  constructor(host: ReactiveControllerHost & Element, options: ToolsControllerOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  hostUpdate() {
    if (this.#loading || this.#options.tools() === null) return;
    this.#loading = true;
    import('./tools-controller.ts').then(
      ({ ToolsController }) => new ToolsController(this.#host, this.#options),
      () => {
        // Calls wait; the next update tries again.
        this.#loading = false;
      },
    );
  }
}
