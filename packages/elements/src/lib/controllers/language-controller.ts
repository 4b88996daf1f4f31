import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { type Choice, chooseLanguage, textDirection } from '../i18n/choose-language.ts';
import { loadedLanguage, loadLanguage } from '../i18n/languages.ts';
import { english, type StringOverrides, type Strings, withStrings } from '../i18n/strings.ts';

/** How long the first paint waits for a language that is on its way, in milliseconds. */
const patience = 1000;

/** What a page says of the words. */
export interface LanguageSettings {
  /** BCP 47 tag; empty where the page leaves it to `lang` and the browser. */
  readonly language: string;
  readonly strings: StringOverrides | null;
}

/**
 * Brings the words in the language of the page, and asks for an update when there are others. What
 * was painted stays until another language is there, and for good where it can't be fetched.
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
  /** Whether words were painted already, which are then not taken away. */
  #painted = false;

  constructor(host: ReactiveControllerHost & HTMLElement, settings: () => LanguageSettings) {
    this.#host = host;
    this.#settings = settings;
    host.addController(this);
  }

  get strings(): Strings {
    return this.#strings;
  }

  /** The way the words run; null where the page has set `dir` on the element. */
  get direction(): 'ltr' | 'rtl' | null {
    return this.#host.dir ? null : this.#direction;
  }

  /** What the first paint has to wait for; null where it can go on. */
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

/** What the page around an element is written in, otherwise what the person has told the browser. */
function languagesAround(element: Element): readonly string[] {
  for (const one of lineOf(element)) {
    const lang = one.getAttribute('lang');
    if (lang !== null) return lang ? [lang] : navigator.languages;
  }
  return navigator.languages;
}

/** An element and what it is in, out of every shadow tree. */
function* lineOf(element: Element): Generator<Element> {
  for (let node: Node | null = element; node; ) {
    if (node instanceof Element) yield node;
    node = node instanceof ShadowRoot ? node.host : node.parentNode;
  }
}
