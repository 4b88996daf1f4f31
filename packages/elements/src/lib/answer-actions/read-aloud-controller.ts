import { html, type LitElement, nothing, type ReactiveController } from 'lit';
import { emit } from '../events.ts';
import { type Strings as AllStrings, english } from '../i18n/all-strings.ts';
import type { Strings } from '../i18n/strings.ts';
import { type SpokenSentence, spokenSentences } from './speech-text.ts';

export type ReadingHost = LitElement & { readonly strings: Strings; readonly speakable: boolean };

/** Time in which the synthesizer has to start a sentence, in milliseconds. It may load a voice first. */
const startTimeout = 10_000;

/** The controller that reads: the page has one synthesizer. */
let current: ReadAloudController | undefined;

/** Reads an answer aloud, one utterance per sentence. */
export class ReadAloudController implements ReactiveController {
  readonly #host: ReadingHost;
  readonly #source: () => Element | null;
  #sentences: SpokenSentence[] = [];
  /** The current utterance. Chromium fires no events of an utterance that was garbage-collected. */
  #utterance: SpeechSynthesisUtterance | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failed = false;

  /** Stops when the host is hidden, as in a closed panel. */
  readonly #resize = new ResizeObserver(() => {
    if (this.#host.getClientRects().length === 0) this.#stop();
  });

  constructor(host: ReadingHost, source: () => Element | null) {
    this.#host = host;
    this.#source = source;
    host.addController(this);
  }

  hostUpdate() {
    if (!this.#host.speakable) this.#stop();
  }

  hostDisconnected() {
    this.#stop();
  }

  /** Whether the answer is being read. */
  get active(): boolean {
    return current === this;
  }

  /** Tooltip of the button while it stops the reading. */
  get stopLabel(): string {
    return this.#text('readAloudStop');
  }

  toggle(): void {
    if (this.active) this.#stop();
    else this.#start();
  }

  render() {
    return this.#failed ? html`<p class="thanks">${this.#text('readAloudFailed')}</p>` : nothing;
  }

  /** The table of the host has these strings since `all-strings.ts` was loaded. */
  #text(key: 'readAloudStop' | 'readAloudFailed'): string {
    return (this.#host.strings as Partial<AllStrings>)[key] ?? english[key];
  }

  #start(): void {
    const content = this.#source();
    if (!content || !this.#host.isConnected) return;
    if (current) current.#stop();
    current = this;
    this.#failed = false;
    this.#sentences = spokenSentences(content, this.#host.strings);
    this.#resize.observe(this.#host);
    addEventListener('pagehide', this.#stop);
    this.#host.requestUpdate();
    this.#speakNext();
  }

  #speakNext(): void {
    const sentence = this.#sentences.shift();
    if (!sentence) {
      this.#end();
      return;
    }
    const utterance = new SpeechSynthesisUtterance(sentence.text);
    utterance.lang = sentence.lang;
    const listen = (type: 'start' | 'end' | 'error', listener: (event: Event) => void) =>
      utterance.addEventListener(type, (event) => {
        if (this.#utterance !== utterance) return;
        clearTimeout(this.#timer);
        listener(event);
      });
    listen('start', () => {});
    listen('end', () => this.#speakNext());
    listen('error', (event) => {
      const { error } = event as SpeechSynthesisErrorEvent;
      // Another script of the page or the system has cancelled the speech.
      if (error === 'canceled' || error === 'interrupted') this.#end();
      else this.#fail();
    });
    this.#utterance = utterance;
    this.#timer = setTimeout(() => this.#fail(), startTimeout);
    speechSynthesis.speak(utterance);
  }

  #fail(): void {
    this.#stop();
    this.#failed = true;
    emit(this.#host, 'inlay-announce', { text: this.#text('readAloudFailed') });
  }

  readonly #stop = (): void => {
    if (!this.active) return;
    this.#end();
    speechSynthesis.cancel();
  };

  #end(): void {
    current = undefined;
    this.#utterance = null;
    clearTimeout(this.#timer);
    this.#resize.disconnect();
    removeEventListener('pagehide', this.#stop);
    this.#host.requestUpdate();
  }
}
