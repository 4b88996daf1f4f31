import type { Mention } from '@inlay/protocol';
import { type LitElement, nothing, type ReactiveController } from 'lit';
import { lazy } from '../lazy.ts';
import type { AutocompleteList, ChosenOption } from './autocomplete-list.ts';
import { type Command, type FindMentions, type MentionOption, mentionsIn } from './commands.ts';

const list = lazy(() => import('./autocomplete-list.ts'));

interface Sources {
  readonly commands: readonly Command[];
  readonly findMentions: FindMentions | null;
}

/**
 * Autocompletion of commands (`/`) and mentions (`@`), and the mentions in the text. The list is
 * lazy-loaded when the user types one of these characters.
 */
export class AutocompleteController implements ReactiveController {
  readonly #host: LitElement;
  readonly #mentioned = new Map<string, Mention>();
  #list: AutocompleteList | null = null;
  /** Latest update, to be applied once the list is loaded. */
  #latest: (() => void) | null = null;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  get open(): boolean {
    return this.#list?.open ?? false;
  }

  /** Id of the active option, which Enter chooses; null for none. */
  get activeId(): string | null {
    return this.#list?.activeId ?? null;
  }

  hostDisconnected() {
    this.close();
  }

  /** Updates the list by the text before the caret. */
  update(text: string, caret: number, { commands, findMentions }: Sources): void {
    const mayMatch =
      (commands.length > 0 && text.startsWith('/')) || (findMentions && /@/.test(text));
    this.#latest = mayMatch
      ? () => this.#list?.update(text, caret, { commands, findMentions })
      : null;
    if (!mayMatch) this.close();
    else if (this.#list) this.#latest?.();
    else void this.#load();
  }

  close(): void {
    this.#latest = null;
    this.#list?.close();
  }

  /** Handles a key. Returns the chosen option, otherwise whether the key was handled. */
  handleKey(key: string): ChosenOption | boolean {
    return this.#list?.handleKey(key) ?? false;
  }

  render(label: string, loading: string, onChoose: (chosen: ChosenOption) => void) {
    return this.#list?.render(label, loading, onChoose) ?? nothing;
  }

  mention({ id, label }: MentionOption): void {
    this.#mentioned.set(label, { id, label });
  }

  /** Returns the chosen mentions that the text still contains. */
  mentionsIn(text: string): Mention[] {
    return mentionsIn(text, [...this.#mentioned.values()]);
  }

  forget(): void {
    this.#mentioned.clear();
    this.close();
  }

  async #load(): Promise<void> {
    const module = await list.load();
    // If loading failed, the next input retries.
    if (!module || this.#list) return;
    this.#list = new module.AutocompleteList(this.#host);
    this.#latest?.();
  }
}
