import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { type Choice, chooseLanguage, textDirection } from '../i18n/choose-language.ts';
import { loadedLanguage, loadLanguage } from '../i18n/languages.ts';
import { english, type StringOverrides, type Strings, withStrings } from '../i18n/strings.ts';

/** How long the first render waits for a language to load, in milliseconds. */
const patience = 1000;

/** Language options of the page. */
export interface LanguageSettings {
  /** BCP 47 tag; empty to use the `lang` attribute or the browser's languages. */
  readonly language: string;
  readonly strings: StringOverrides | null;
}

/**
 * Provides the strings in the language of the page and requests an update when they change. The
 * strings on screen stay until another language has loaded; if loading fails, they remain.
 */
export class LanguageController implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #settings: () => LanguageSettings;
  readonly #observer = new MutationObserver(() => this.#reconsider());
  #stale = true;
  #language = '';
  #overrides: StringOverrides | null = null;
  #wanted: Choice = { language: 'en', locale: 'en' };
  #base: Strings = english;
  #strings: Strings = english;
  #direction = textDirection('en');
  #arrival: Promise<void> | null = null;
  /** Whether strings were rendered already: from then on, rendering does not wait. */
  #painted = false;

  constructor(host: ReactiveControllerHost & HTMLElement, settings: () => LanguageSettings) {
    this.#host = host;
    this.#settings = settings;
    host.addController(this);
  }

  get strings(): Strings {
    return this.#strings;
  }

  /** Text direction of the language; null if the page sets `dir` on the element. */
  get direction(): 'ltr' | 'rtl' | null {
    return this.#host.dir ? null : this.#direction;
  }

  /** Resolves when the first render can start; null if it can start now. */
  arrival(): Promise<void> | null {
    this.#choose();
    this.#painted ||= this.#arrival === null;
    return this.#arrival;
  }

  hostConnected() {
    for (const element of lineOf(this.#host)) {
      this.#observer.observe(element, { attributeFilter: ['lang', 'dir'] });
    }
    this.#reconsider();
  }

  hostDisconnected() {
    this.#observer.disconnect();
  }

  hostUpdate() {
    this.#choose();
  }

  #reconsider() {
    this.#stale = true;
    this.#host.requestUpdate();
  }

  #choose() {
    const { language, strings } = this.#settings();
    const isOther = this.#stale || language !== this.#language;
    if (!isOther && strings === this.#overrides) return;
    this.#stale = false;
    this.#language = language;
    this.#overrides = strings;
    if (isOther) this.#wanted = chooseLanguage(language ? [language] : languagesAround(this.#host));
    const table = loadedLanguage(this.#wanted.language);
    const { locale } = this.#wanted;
    if (table) this.#base = { ...withStrings(table), locale };
    else this.#load(this.#wanted);
    this.#strings = withStrings(strings, this.#base);
    this.#direction = textDirection(this.#strings.locale);
  }

  #load(wanted: Choice) {
    const load = loadLanguage(wanted.language).then(
      () => {
        if (wanted === this.#wanted) this.#reconsider();
      },
      () => {},
    );
    if (this.#painted) return;
    this.#arrival = Promise.race([load, new Promise<void>((end) => setTimeout(end, patience))]);
    void this.#arrival.then(() => {
      this.#arrival = null;
      this.#host.requestUpdate();
    });
  }
}

/** The language of the nearest `lang` attribute, otherwise the browser's languages. */
function languagesAround(element: Element): readonly string[] {
  for (const one of lineOf(element)) {
    const lang = one.getAttribute('lang');
    if (lang !== null) return lang ? [lang] : navigator.languages;
  }
  return navigator.languages;
}

/** Yields an element and its ancestors, across shadow roots. */
function* lineOf(element: Element): Generator<Element> {
  for (let node: Node | null = element; node; ) {
    if (node instanceof Element) yield node;
    node = node instanceof ShadowRoot ? node.host : node.parentNode;
  }
}
