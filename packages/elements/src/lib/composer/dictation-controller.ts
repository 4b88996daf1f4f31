import type { ReactiveController, ReactiveControllerHost } from 'lit';

export interface DictationControllerOptions {
  /** BCP 47 tag of the language that is spoken. */
  readonly language: () => string;
  /** What stands in the field. */
  readonly text: () => string;
  /** What is to stand in it now: what stood there, and behind it what was heard. */
  readonly onText: (text: string) => void;
  readonly onFailed: (reason: 'denied' | 'failed') => void;
}

type Session = ReturnType<typeof import('./dictation.ts').dictate>;

/** Lets a person speak in place of typing. What listens is loaded with the first press. */
export class DictationController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #options: DictationControllerOptions;
  #session: Session | 'starting' | null = null;

  constructor(host: ReactiveControllerHost, options: DictationControllerOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** Whether this browser can. */
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

  /** Ends it; the last words may still come. */
  stop(): void {
    if (this.#session === 'starting') this.#end();
    else this.#session?.stop();
  }

  /** Ends it, and nothing comes any more: the person types, or sends. */
  abort(): void {
    if (!this.#session) return;
    if (this.#session !== 'starting') this.#session.abort();
    this.#end();
  }

  async #start(): Promise<void> {
    this.#session = 'starting';
    this.#host.requestUpdate();
    const before = this.#options.text().trimEnd();
    try {
      const { dictate } = await import('./dictation.ts');
      if (this.#session !== 'starting') return;
      this.#session = dictate({
        language: this.#options.language(),
        onText: (text) => this.#options.onText([before, text].filter(Boolean).join(' ')),
        onEnd: (reason) => {
          this.#end();
          if (reason !== 'done') this.#options.onFailed(reason);
        },
      });
    } catch {
      this.#end();
      this.#options.onFailed('failed');
    }
  }

  #end(): void {
    this.#session = null;
    this.#host.requestUpdate();
  }
}
