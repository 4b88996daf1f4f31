import type { Mention } from '@inlay/protocol';
import { nothing, type ReactiveController, type ReactiveControllerHost } from 'lit';
import type { Command, FindMentions, MentionOption } from './commands.ts';
import type { Chosen, Suggesting } from './suggesting.ts';

interface Sources {
  readonly commands: readonly Command[];
  readonly findMentions: FindMentions | null;
}

/**
 * What the page offers behind `/` and `@`, and what of it stands in the text. The list itself is
 * loaded when one of these is typed.
 */
export class SuggestingController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #mentioned = new Map<string, Mention>();
  #list: Suggesting | null = null;
  #loading = false;
  /** What to look at once the list is there. */
  #latest: (() => void) | null = null;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  get open(): boolean {
    return this.#list?.open ?? false;
  }

  /** Id of the option that Enter chooses; null while there is none. */
  get activeId(): string | null {
    return this.#list?.activeId ?? null;
  }

  hostDisconnected() {
    this.close();
  }

  /** Looks at what was typed before the caret. */
  update(text: string, caret: number, { commands, findMentions }: Sources): void {
    const wanted =
      (commands.length > 0 && text.startsWith('/')) || (findMentions && /@/.test(text));
    this.#latest = wanted
      ? () => this.#list?.update(text, caret, { commands, findMentions })
      : null;
    if (!wanted) this.close();
    else if (this.#list) this.#latest?.();
    else void this.#load();
  }

  close(): void {
    this.#latest = null;
    this.#list?.close();
  }

  /** What a key chooses, `true` where it did something else here, `false` where it is not for this. */
  handleKey(key: string): Chosen | boolean {
    return this.#list?.handleKey(key) ?? false;
  }

  render(label: string, loading: string, onChoose: (chosen: Chosen) => void) {
    return this.#list?.render(label, loading, onChoose) ?? nothing;
  }

  mention({ id, label }: MentionOption): void {
    this.#mentioned.set(label, { id, label });
  }

  /** What a text mentions of all that was chosen. */
  mentionsIn(text: string): Mention[] {
    let rest = text;
    // The longest first: who is called as the beginning of another is not meant with them.
    const known = [...this.#mentioned.values()].sort((a, b) => b.label.length - a.label.length);
    return known.filter(({ label }) => {
      const isMentioned = rest.includes(`@${label}`);
      rest = rest.replaceAll(`@${label}`, '');
      return isMentioned;
    });
  }

  forget(): void {
    this.#mentioned.clear();
    this.close();
  }

  async #load(): Promise<void> {
    if (this.#loading) return;
    this.#loading = true;
    try {
      const { Suggesting } = await import('./suggesting.ts');
      this.#list = new Suggesting(() => this.#host.requestUpdate());
      this.#latest?.();
    } catch {
      // Typing on tries again; the text can be written without the list.
    } finally {
      this.#loading = false;
    }
  }
}
