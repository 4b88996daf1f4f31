import type { LitElement, ReactiveController } from 'lit';
import { lazy } from '../lazy.ts';

export interface DictationControllerOptions {
  /** BCP 47 tag of the language that is spoken. */
  readonly language: () => string;
  /** Returns the text of the field. */
  readonly text: () => string;
  /** Receives the new text of the field: the text before dictation, followed by the transcript. */
  readonly onText: (text: string) => void;
  readonly onFailed: (reason: 'denied' | 'failed') => void;
}

const dictation = lazy(() => import('./dictation.ts'));

type Session = ReturnType<typeof import('./dictation.ts').dictate>;

/** Dictation. The speech recognition chunk is loaded when the button is first pressed. */
export class DictationController implements ReactiveController {
  readonly #host: LitElement;
  readonly #options: DictationControllerOptions;
  #session: Session | 'starting' | null = null;

  /** Stops dictation when the host is hidden, because nothing on the page shows it then. */
  readonly #resize = new ResizeObserver(() => {
    if (this.#host.getClientRects().length === 0) this.stop();
  });

  constructor(host: LitElement, options: DictationControllerOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** Whether the browser supports speech recognition. */
  get available(): boolean {
    return 'SpeechRecognition' in globalThis || 'webkitSpeechRecognition' in globalThis;
  }

  get active(): boolean {
    return this.#session !== null;
  }

  hostDisconnected() {
    this.abort();
  }

  toggle(): void {
    if (this.#session) this.stop();
    else void this.#start();
  }

  /** Stops dictation; a last result may still arrive. */
  stop(): void {
    if (this.#session === 'starting') this.#end();
    else this.#session?.stop();
  }

  /** Aborts dictation and drops further results, because the user types or sends. */
  abort(): void {
    if (!this.#session) return;
    if (this.#session !== 'starting') this.#session.abort();
    this.#end();
  }

  async #start(): Promise<void> {
    this.#session = 'starting';
    this.#resize.observe(this.#host);
    this.#host.requestUpdate();
    const before = this.#options.text().trimEnd();
    try {
      const module = await dictation.load();
      if (this.#session !== 'starting') return;
      if (!module) throw new Error('The module could not be loaded.');
      this.#session = module.dictate(this.#host, {
        language: this.#options.language(),
        onText: (text) => this.#options.onText([before, text].filter(Boolean).join(' ')),
        onEnd: (reason) => {
          this.#end();
          if (reason !== 'done') this.#options.onFailed(reason);
        },
      });
    } catch {
      // The module could not be loaded, or the browser refused to start.
      this.#end();
      this.#options.onFailed('failed');
    }
  }

  #end(): void {
    this.#session = null;
    this.#resize.disconnect();
    this.#host.requestUpdate();
  }
}
