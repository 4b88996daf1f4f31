import { html, type LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { addStyles } from './add-styles.ts';
import { autocompleteStyles } from './autocomplete-list.styles.ts';
import type { Command, FindMentions, MentionOption } from './commands.ts';

/** Result of choosing an option. */
export interface ChosenOption {
  readonly text: string;
  readonly caret: number;
  /** Command to run immediately; null if the text was only completed. */
  readonly command: Command | null;
  readonly mention: MentionOption | null;
}

interface Option {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly choose: () => ChosenOption;
}

/** Maximum number of options shown. */
const maxOptions = 8;

/** Debounce time of mention lookups, in milliseconds. */
const lookupDebounceMs = 120;

/**
 * The listbox above the text field that opens after a leading `/` or an `@`. It is rendered in the
 * composer's shadow tree, because `aria-activedescendant` can't refer to another tree.
 */
export class AutocompleteList {
  readonly #host: LitElement;
  #options: readonly Option[] = [];
  #active = 0;
  #search: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #loading = false;
  /** Content that was last shown. It stays while the closed list fades out. */
  #content: TemplateResult | typeof nothing = nothing;

  constructor(host: LitElement) {
    this.#host = host;
    addStyles(host, autocompleteStyles);
  }

  get open(): boolean {
    return this.#options.length > 0 || this.#loading;
  }

  /** Id of the active option, which Enter chooses; null for none. */
  get activeId(): string | null {
    return this.#options[this.#active] ? idOf(this.#active) : null;
  }

  /** Updates the list by the text before the caret. */
  update(
    text: string,
    caret: number,
    { commands, findMentions }: { commands: readonly Command[]; findMentions: FindMentions | null },
  ): void {
    const before = text.slice(0, caret);
    this.close();
    const [, name] = /^\/(\S*)$/.exec(before) ?? [];
    if (name !== undefined) {
      this.#show(commandOptions(commands, name, text.slice(caret)));
      return;
    }

    const [, query] = /(?:^|\s)@([^\s@]{0,64})$/.exec(before) ?? [];
    if (query === undefined || !findMentions) return;
    const search = new AbortController();
    const { signal } = search;
    this.#search = search;
    this.#timer = setTimeout(async () => {
      try {
        const mentions = await findMentions(query, { signal });
        if (signal.aborted) return;
        this.#loading = false;
        this.#show(mentionOptions(mentions, before.slice(0, -query.length - 1), text.slice(caret)));
      } catch (error) {
        if (signal.aborted) return;
        // The page's lookup failed; the next input retries.
        reportError(error);
        this.close();
      }
    }, lookupDebounceMs);
    this.#loading = true;
    this.#host.requestUpdate();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#search?.abort();
    this.#search = null;
    const wasOpen = this.open;
    this.#loading = false;
    this.#options = [];
    if (wasOpen) this.#host.requestUpdate();
  }

  /** Handles a key. Returns the chosen option, otherwise whether the key was handled. */
  handleKey(key: string): ChosenOption | boolean {
    if (!this.open) return false;
    const count = this.#options.length;
    if (key === 'Escape') {
      this.close();
      return true;
    }
    if (count === 0) return false;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      this.#active = (this.#active + (key === 'ArrowDown' ? 1 : count - 1)) % count;
      this.#host.requestUpdate();
      return true;
    }
    if (key !== 'Enter' && key !== 'Tab') return false;
    return this.#choose(this.#active);
  }

  render(
    label: string,
    loading: string,
    onChoose: (chosen: ChosenOption) => void,
  ): TemplateResult | typeof nothing {
    if (this.open) this.#content = this.#renderContent(loading, onChoose);
    if (this.#content === nothing) return nothing;
    return html`<div
      id="suggestions"
      class="suggestions"
      role="listbox"
      aria-label=${label}
      ?inert=${!this.open}
    >
      ${this.#content}
    </div>`;
  }

  #renderContent(loading: string, onChoose: (chosen: ChosenOption) => void): TemplateResult {
    const options = this.#options;
    return html`${
      this.#loading && options.length === 0 ? html`<p class="searching">${loading}</p>` : nothing
    }
      ${repeat(
        options,
        ({ id }) => id,
        (option, index) => html`<div
          id=${idOf(index)}
          role="option"
          aria-selected=${index === this.#active}
          @pointerdown=${(event: Event) => event.preventDefault()}
          @click=${() => onChoose(this.#choose(index))}
        >
          <bdi class="label">${option.label}</bdi>
          ${option.description ? html`<bdi class="description">${option.description}</bdi>` : nothing}
        </div>`,
      )}`;
  }

  #choose(index: number): ChosenOption {
    const chosen = this.#options[index]?.choose();
    this.close();
    return chosen ?? { text: '', caret: 0, command: null, mention: null };
  }

  #show(options: readonly Option[]): void {
    this.#options = options.slice(0, maxOptions);
    this.#active = 0;
    this.#host.requestUpdate();
  }
}

function idOf(index: number): string {
  return `option-${index}`;
}

function commandOptions(commands: readonly Command[], typed: string, rest: string): Option[] {
  const start = typed.toLowerCase();
  return commands
    .filter(({ name }) => name.toLowerCase().startsWith(start))
    .map((command) => ({
      id: command.name,
      label: `/${command.name}`,
      description: command.description ?? '',
      choose: () => {
        const text = `/${command.name} `;
        return command.takesInput
          ? { text: text + rest.trimStart(), caret: text.length, command: null, mention: null }
          : { text: rest.trimStart(), caret: 0, command, mention: null };
      },
    }));
}

function mentionOptions(
  mentions: readonly MentionOption[],
  before: string,
  rest: string,
): Option[] {
  return mentions.map((mention) => ({
    id: mention.id,
    label: mention.label,
    description: mention.description ?? '',
    choose: () => {
      const text = `${before}@${mention.label} `;
      return { text: text + rest.trimStart(), caret: text.length, command: null, mention };
    },
  }));
}
