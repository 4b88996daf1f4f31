import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { StringOverrides } from './all-strings.ts';
import { chooseLanguage, type LanguageChoice, textDirection } from './choose-language.ts';
import { loadedStringsOf, loadLanguage } from './languages.ts';
import { english, type Strings, withStrings } from './strings.ts';

/** How long the first render waits for a language to load, in milliseconds. */
const loadTimeoutMs = 1000;

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
  readonly #observer = new MutationObserver(() => this.#invalidate());
  #stale = true;
  #language = '';
  #overrides: StringOverrides | null = null;
  #choice: LanguageChoice = { language: 'en', locale: 'en' };
  #base: Strings = english;
  #strings: Strings = english;
  #direction = textDirection('en');
  #loading: Promise<void> | null = null;
  /** Whether strings were rendered already: from then on, rendering does not wait. */
  #rendered = false;

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
  whenLoaded(): Promise<void> | null {
    this.#choose();
    this.#rendered ||= this.#loading === null;
    return this.#loading;
  }

  hostConnected() {
    for (const element of selfAndAncestors(this.#host)) {
      this.#observer.observe(element, { attributeFilter: ['lang', 'dir'] });
    }
    this.#invalidate();
  }

  hostDisconnected() {
    this.#observer.disconnect();
  }

  hostUpdate() {
    this.#choose();
  }

  #invalidate() {
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
    if (isOther)
      this.#choice = chooseLanguage(language ? [language] : preferredLanguages(this.#host));
    const table = loadedStringsOf(this.#choice.language);
    const { locale } = this.#choice;
    if (table) this.#base = withStrings({ locale }, table);
    else this.#load(this.#choice);
    this.#strings = withStrings(strings, this.#base);
    this.#direction = textDirection(this.#strings.locale);
  }

  #load(requested: LanguageChoice) {
    const load = loadLanguage(requested.language).then((table) => {
      if (table && requested === this.#choice) this.#invalidate();
    });
    if (this.#rendered) return;
    this.#loading = Promise.race([
      load,
      new Promise<void>((end) => setTimeout(end, loadTimeoutMs)),
    ]);
    void this.#loading.then(() => {
      this.#loading = null;
      this.#host.requestUpdate();
    });
  }
}

/** The language of the nearest `lang` attribute, otherwise the browser's languages. */
function preferredLanguages(element: Element): readonly string[] {
  for (const ancestor of selfAndAncestors(element)) {
    const lang = ancestor.getAttribute('lang');
    if (lang !== null) return lang ? [lang] : navigator.languages;
  }
  return navigator.languages;
}

/** Yields an element and its ancestors, across shadow roots. */
function* selfAndAncestors(element: Element): Generator<Element> {
  for (let node: Node | null = element; node; ) {
    if (node instanceof Element) yield node;
    node = node instanceof ShadowRoot ? node.host : node.parentNode;
  }
}
