import type { LitElement, ReactiveController } from 'lit';
import { whenIdle } from '../controllers/after-paint.ts';
import { isRegistered, loadElement } from '../load-element.ts';
import { need, needList } from '../on-demand.ts';

export type AfterField = typeof import('./after-field.ts');

/** Loads what a first message can be written without, in the order in which it is wanted. */
export class LatePartsController implements ReactiveController {
  readonly #host: LitElement;
  readonly #onArrival: (parts: AfterField) => void;
  #parts: Promise<AfterField | null> | null = null;
  #arrive: () => void = () => {};

  /** Resolves when what is wanted first is there. */
  readonly arrival = new Promise<void>((resolve) => {
    this.#arrive = resolve;
  });

  /** @param onArrival - What is wanted first is there. Called once. */
  constructor(host: LitElement, onArrival: (parts: AfterField) => void) {
    this.#host = host;
    this.#onArrival = onArrival;
    host.addController(this);
  }

  hostConnected() {
    void this.load();
  }

  /** What could not be fetched is tried again. */
  async load(): Promise<void> {
    await this.#host.updateComplete;
    void this.parts();
    if (!isRegistered('inlay-message-list') && (await needList())) this.#host.requestUpdate();
    whenIdle(() => {
      void need('inlay-markdown');
      void need('inlay-status');
    });
  }

  /** What is wanted first; null where its file can't be had, and where nothing is drawn yet. */
  async parts(): Promise<AfterField | null> {
    if (!this.#host.hasUpdated) return null;
    this.#parts ??= import('./after-field.ts').then(
      (parts) => {
        void loadElement('inlay-welcome', async () => parts.InlayWelcome);
        this.#onArrival(parts);
        this.#arrive();
        return parts;
      },
      () => {
        this.#parts = null;
        return null;
      },
    );
    return this.#parts;
  }
}
