import type { InlayError, Sessions } from '@inlay/client';
import type { Session } from '@inlay/protocol';
import { inlayErrorOf } from '../controllers/client-controller.ts';

/** Sessions asked for at once: more than a screen holds. */
const pageSize = 40;

/** The conversations of a user, page by page, as they are searched for and changed. */
export class Threads {
  readonly #sessions: Sessions;
  readonly #onChange: () => void;
  #asking: AbortController | null = null;
  #items: readonly Session[] = [];
  #nextPage: string | null = null;
  #query = '';
  #archived = false;
  #error: InlayError | null = null;
  #loaded = false;

  constructor(sessions: Sessions, onChange: () => void) {
    this.#sessions = sessions;
    this.#onChange = onChange;
  }

  get items(): readonly Session[] {
    return this.#items;
  }

  get query(): string {
    return this.#query;
  }

  /** Whether the archived ones are shown, in place of the others. */
  get archived(): boolean {
    return this.#archived;
  }

  get loading(): boolean {
    return this.#asking !== null;
  }

  /** Whether what was asked for has been answered once. */
  get loaded(): boolean {
    return this.#loaded;
  }

  /** What went wrong with what was tried last; null while all is well. */
  get error(): InlayError | null {
    return this.#error;
  }

  get hasMore(): boolean {
    return this.#nextPage !== null;
  }

  /** Asks anew. What is in view stays until there is an answer. */
  refresh(): Promise<void> {
    return this.#ask(null);
  }

  search(query: string): Promise<void> {
    this.#query = query.trim();
    return this.refresh();
  }

  show(archived: boolean): Promise<void> {
    this.#archived = archived;
    this.#items = [];
    return this.refresh();
  }

  /** The next page, where there is one and none is on its way. */
  async more(): Promise<void> {
    if (this.#nextPage !== null && !this.#asking) await this.#ask(this.#nextPage);
  }

  /** Resolves with whether it succeeded; `error` then says what stood in the way. */
  rename(id: string, title: string): Promise<boolean> {
    return this.#try(async () => {
      const renamed = await this.#sessions.update(id, { title: title.trim() || null });
      this.#items = this.#items.map((item) => (item.id === id ? renamed : item));
    });
  }

  /** Archives it, or opens it again where it was archived. Either takes it out of this list. */
  archive(id: string): Promise<boolean> {
    return this.#try(async () => {
      await (this.#archived ? this.#sessions.unarchive(id) : this.#sessions.archive(id));
      this.#drop(id);
    });
  }

  delete(id: string): Promise<boolean> {
    return this.#try(async () => {
      await this.#sessions.delete(id);
      this.#drop(id);
    });
  }

  close(): void {
    this.#asking?.abort();
    this.#asking = null;
  }

  #drop(id: string): void {
    this.#items = this.#items.filter((item) => item.id !== id);
  }

  async #ask(page: string | null): Promise<void> {
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    this.#onChange();
    try {
      const data: Session[] = [];
      let nextPage = page;
      // A search looks at a part of what was said for each page, which may be short or empty.
      do {
        const answer = await this.#sessions.list({
          limit: pageSize,
          ...(nextPage !== null && { page: nextPage }),
          ...(this.#query && { query: this.#query }),
          archived: this.#archived,
          signal: asking.signal,
        });
        if (asking.signal.aborted) return;
        data.push(...answer.data);
        nextPage = answer.next_page ?? null;
      } while (nextPage !== null && data.length < pageSize);
      // What was said in meanwhile moved up, and may come again on a later page.
      const known = new Set(page === null ? [] : this.#items.map(({ id }) => id));
      const fresh = data.filter(({ id }) => !known.has(id));
      this.#items = page === null ? fresh : [...this.#items, ...fresh];
      this.#nextPage = nextPage;
      this.#error = null;
      this.#loaded = true;
    } catch (reason) {
      if (asking.signal.aborted) return;
      this.#error = inlayErrorOf(reason);
    }
    this.#asking = null;
    this.#onChange();
  }

  async #try(act: () => Promise<void>): Promise<boolean> {
    this.#error = null;
    try {
      await act();
    } catch (reason) {
      this.#error = inlayErrorOf(reason);
    }
    this.#onChange();
    return this.#error === null;
  }
}
