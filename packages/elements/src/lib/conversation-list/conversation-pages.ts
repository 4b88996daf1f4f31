import type { InlayError, Sessions } from '@inlay/client';
import type { Session } from '@inlay/protocol';
import { inlayErrorOf } from '../chat/client-controller.ts';
import { daysBetween } from '../conversation-item/relative-date.ts';

/** Sessions per page: more than fit on a screen. */
const pageSize = 40;

/** Maximum page size of the server. */
const maxPageSize = 100;

/** Conversations that are listed below one heading. */
export interface ConversationGroup {
  /** Days since the last message: 0, 1, or 2 for all that are older; null for pinned conversations. */
  readonly days: number | null;
  readonly sessions: readonly Session[];
}

/** Paginated list of the user's conversations, with search and changes. */
export class ConversationPages {
  readonly #sessions: Sessions;
  readonly #onChange: () => void;
  readonly #isPinned: (session: Session) => boolean;
  #pendingRequest: AbortController | null = null;
  #items: readonly Session[] = [];
  /** Ids of the pinned conversations, which stay at the top until the list is loaded again. */
  #pinned: ReadonlySet<string> = new Set();
  #nextPage: string | null = null;
  #query = '';
  #archived = false;
  #error: InlayError | null = null;
  #loaded = false;

  /** @param options.isPinned - Whether a conversation of the first page is listed before all others. */
  constructor(
    sessions: Sessions,
    options: { readonly onChange: () => void; readonly isPinned: (session: Session) => boolean },
  ) {
    this.#sessions = sessions;
    this.#onChange = options.onChange;
    this.#isPinned = options.isPinned;
  }

  get items(): readonly Session[] {
    return this.#items;
  }

  /** The conversations in order: the pinned ones, then those of today, of yesterday, and earlier ones. */
  groups(now: number): readonly ConversationGroup[] {
    const groups: { days: number | null; sessions: Session[] }[] = [];
    for (const session of this.#items) {
      const last = groups.at(-1);
      const time = Date.parse(session.active_at ?? session.updated_at);
      const age = Math.min(2, Math.max(0, daysBetween(time, now)));
      // A platform without `active_at` may list a renamed conversation below older ones.
      const days = this.#pinned.has(session.id) ? null : Math.max(age, last?.days ?? 0);
      if (last && last.days === days) last.sessions.push(session);
      else groups.push({ days, sessions: [session] });
    }
    return groups;
  }

  get query(): string {
    return this.#query;
  }

  /** Whether archived conversations are listed instead of the others. */
  get archived(): boolean {
    return this.#archived;
  }

  get loading(): boolean {
    return this.#pendingRequest !== null;
  }

  /** Whether the first page was loaded. */
  get loaded(): boolean {
    return this.#loaded;
  }

  /** Error of the last action; null for none. */
  get error(): InlayError | null {
    return this.#error;
  }

  get hasMore(): boolean {
    return this.#nextPage !== null;
  }

  /** Loads the list again. The current items stay until the response arrives. */
  refresh(): Promise<void> {
    return this.#loadPage(null);
  }

  /**
   * Loads all listed sessions again, because one of them changed or was added. A failure keeps the list.
   */
  update(): Promise<void> {
    // A pending request is replaced, and may be one for the next page.
    const pending = this.#pendingRequest ? pageSize : 0;
    return this.#loadPage(null, { count: this.#items.length + pending, silent: this.#loaded });
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

  /** Loads the next page, unless there is none or one is loading. */
  async more(): Promise<void> {
    if (this.#nextPage !== null && !this.#pendingRequest) await this.#loadPage(this.#nextPage);
  }

  /** Renames a conversation. Resolves with whether that succeeded; otherwise `error` is set. */
  rename(id: string, title: string): Promise<boolean> {
    return this.#try(async () => {
      const renamed = await this.#sessions.update(id, { title: title.trim() || null });
      this.#items = this.#items.map((item) => (item.id === id ? renamed : item));
    });
  }

  /** Archives or unarchives a conversation, which removes it from the current list. */
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
    this.#pendingRequest?.abort();
    this.#pendingRequest = null;
  }

  #drop(id: string): void {
    this.#items = this.#items.filter((item) => item.id !== id);
  }

  /**
   * Loads a page; null is the first one, which replaces the list.
   *
   * @param count - Minimum number of sessions to load, if there are that many.
   * @param silent - Whether to ignore a failure.
   */
  async #loadPage(page: string | null, { count = 0, silent = false } = {}): Promise<void> {
    const wanted = Math.max(pageSize, count);
    this.#pendingRequest?.abort();
    const request = new AbortController();
    this.#pendingRequest = request;
    this.#onChange();
    try {
      const data: Session[] = [];
      let nextPage = page;
      // The server searches a bounded part per page, so a page may be short or empty.
      do {
        const response = await this.#sessions.list({
          limit: Math.min(maxPageSize, wanted),
          ...(nextPage !== null && { page: nextPage }),
          ...(this.#query && { query: this.#query }),
          archived: this.#archived,
          signal: request.signal,
        });
        if (request.signal.aborted) return;
        data.push(...response.data);
        nextPage = response.next_page ?? null;
      } while (nextPage !== null && data.length < wanted);
      // Lists each conversation once, even if its position changes between two pages.
      const known = new Set(page === null ? [] : this.#items.map(({ id }) => id));
      const newItems = data.filter(({ id }) => !known.has(id) && known.add(id));
      if (page === null) this.#setItems(newItems);
      else this.#items = [...this.#items, ...newItems];
      this.#nextPage = nextPage;
      this.#error = null;
      this.#loaded = true;
    } catch (reason) {
      if (request.signal.aborted) return;
      if (!silent) this.#error = inlayErrorOf(reason);
    }
    this.#pendingRequest = null;
    this.#onChange();
  }

  #setItems(items: readonly Session[]): void {
    const isList = !this.#query && !this.#archived;
    const pinned = isList ? items.slice(0, pageSize).filter(this.#isPinned) : [];
    this.#pinned = new Set(pinned.map(({ id }) => id));
    this.#items = [...pinned, ...items.filter(({ id }) => !this.#pinned.has(id))];
  }

  async #try(action: () => Promise<void>): Promise<boolean> {
    this.#error = null;
    try {
      await action();
    } catch (reason) {
      this.#error = inlayErrorOf(reason);
    }
    this.#onChange();
    return this.#error === null;
  }
}
