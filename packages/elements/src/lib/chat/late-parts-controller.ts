import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { whenIdle } from '../controllers/after-paint.ts';
import { isRegistered } from '../load-element.ts';
import { need, needList } from '../on-demand.ts';

/** Loads what a first message can be written without, in the order in which it is wanted. */
export class LatePartsController implements ReactiveController {
  readonly #host: ReactiveControllerHost;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected() {
    void this.load();
  }

  /** What could not be fetched is tried again. */
  async load(): Promise<void> {
    await this.#host.updateComplete;
    if (!isRegistered('inlay-message-list') && (await needList())) this.#host.requestUpdate();
    whenIdle(() => {
      void need('inlay-markdown');
      void need('inlay-status');
    });
  }
}
