import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Command, FindMentions, MentionOption } from './commands.ts';

/** What the field says when something of the list was chosen. */
export interface Chosen {
  readonly text: string;
  readonly caret: number;
  /** A command that needs nothing more, and is done now. */
  readonly command: Command | null;
  readonly mention: MentionOption | null;
}

interface Option {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly choose: () => Chosen;
}

/** Options in view. More than these are found by typing on. */
const mostOptions = 8;

/** Milliseconds of quiet before the page is asked what can be mentioned. */
const quiet = 120;

/**
 * The list over the text field that opens with a `/` at the beginning or with an `@`. It is drawn in
 * the composer's own tree: the field can point at an option of no other.
 */
export class Suggesting {
  readonly #onChange: () => void;
  #options: readonly Option[] = [];
  #active = 0;
  #search: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #loading = false;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get open(): boolean {
    return this.#options.length > 0 || this.#loading;
  }

  /** Id of the option that Enter chooses; null while there is none. */
  get activeId(): string | null {
    return this.#options[this.#active] ? idOf(this.#active) : null;
  }

  /** Looks at what stands before the caret. */
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
        const found = await findMentions(query, { signal });
        if (signal.aborted) return;
        this.#loading = false;
        this.#show(mentionOptions(found, before.slice(0, -query.length - 1), text.slice(caret)));
      } catch {
        // The page could not say. Typing on asks again.
        if (!signal.aborted) this.close();
      }
    }, quiet);
    this.#loading = true;
    this.#onChange();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#search?.abort();
    this.#search = null;
    const was = this.open;
    this.#loading = false;
    this.#options = [];
    if (was) this.#onChange();
  }

  /** What a key chooses, `true` where it did something else here, `false` where it is not for this. */
  handleKey(key: string): Chosen | boolean {
    if (!this.open) return false;
    const count = this.#options.length;
    if (key === 'Escape') {
      this.close();
      return true;
    }
    if (count === 0) return false;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      this.#active = (this.#active + (key === 'ArrowDown' ? 1 : count - 1)) % count;
      this.#onChange();
      return true;
    }
    if (key !== 'Enter' && key !== 'Tab') return false;
    return this.#choose(this.#active);
  }

  render(
    label: string,
    loading: string,
    onChoose: (chosen: Chosen) => void,
  ): TemplateResult | typeof nothing {
    if (!this.open) return nothing;
    const options = this.#options;
    return html`<div id="suggestions" class="suggestions" role="listbox" aria-label=${label}>
      ${this.#loading && options.length === 0 ? html`<p class="searching">${loading}</p>` : nothing}
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
      )}
    </div>`;
  }

  #choose(index: number): Chosen {
    const chosen = this.#options[index]?.choose();
    this.close();
    return chosen ?? { text: '', caret: 0, command: null, mention: null };
  }

  #show(options: readonly Option[]): void {
    this.#options = options.slice(0, mostOptions);
    this.#active = 0;
    this.#onChange();
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

function mentionOptions(found: readonly MentionOption[], before: string, rest: string): Option[] {
  return found.map((mention) => ({
    id: mention.id,
    label: mention.label,
    description: mention.description ?? '',
    choose: () => {
      const text = `${before}@${mention.label} `;
      return { text: text + rest.trimStart(), caret: text.length, command: null, mention };
    },
  }));
}
