import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { ToolsControllerOptions } from './tools-controller.ts';

/** Loads `ToolsController` once the page has set client tools. */
export class LazyToolsController implements ReactiveController {
  readonly #host: ReactiveControllerHost & Element;
  readonly #options: ToolsControllerOptions;
  #loading = false;

  constructor(host: ReactiveControllerHost & Element, options: ToolsControllerOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  hostUpdate() {
    if (this.#loading || !this.#options.tools()) return;
    this.#loading = true;
    import('./tools-controller.ts').then(
      ({ ToolsController }) => new ToolsController(this.#host, this.#options),
      () => {
        // The next update retries; calls stay pending until then.
        this.#loading = false;
      },
    );
  }
}
