import { nothing, type ReactiveController } from 'lit';
import type { QuotingHost } from './quote-controller.ts';

type QuoteModule = typeof import('./quote-controller.ts');

/** Loads `QuoteController` once the user selects something in the page. */
export class LazyQuoteController implements ReactiveController {
  readonly #host: QuotingHost;
  readonly #source: () => Element | null;
  #loading = false;
  #quote: InstanceType<QuoteModule['QuoteController']> | undefined;

  constructor(host: QuotingHost, source: () => Element | null) {
    this.#host = host;
    this.#source = source;
    host.addController(this);
  }

  hostConnected() {
    if (!this.#quote) document.addEventListener('selectionchange', this.#load);
  }

  hostDisconnected() {
    document.removeEventListener('selectionchange', this.#load);
  }

  render() {
    return this.#quote?.render() ?? nothing;
  }

  #load = () => {
    if (this.#loading || this.#source() === null) return;
    this.#loading = true;
    import('./quote-controller.ts').then(
      ({ QuoteController }) => {
        document.removeEventListener('selectionchange', this.#load);
        this.#quote = new QuoteController(this.#host, this.#source);
        this.#quote.update();
      },
      () => {
        // The next selection retries.
        this.#loading = false;
      },
    );
  };
}
