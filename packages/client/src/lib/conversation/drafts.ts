import type { EmbedConfig, UserMessageInput } from '@inlay/protocol';
import { findFault, isRecord } from '@inlay/protocol/shape';
import { toJson } from '@inlay/protocol/to-json';
import { type PageStore, type PageStoreKind, safeStore } from '../page-store.ts';

/** The stored drafts and unsent messages of one end user for one agent. */
interface StoredEntry {
  /** The end user who wrote them. */
  subject: string;
  /**
   * The composer's text by conversation id. The open conversation without a session has the key `''`;
   * when it is closed with unsent messages, the text moves to the temporary id of these messages.
   */
  drafts: Record<string, string>;
  /** Messages that are not known to be in the log, oldest first. */
  unsent: StoredMessage[];
}

/**
 * `conversationId` is the session id, or a temporary id before there is a session. A message that is
 * more than plain text is in `json`, and its `text` is empty.
 */
type StoredMessage = [conversationId: string, key: string, text: string, json?: string];

type MessageFields = Omit<UserMessageInput, 'type'>;

const entryShape = { subject: 'string', drafts: 'object', unsent: [['string']] } as const;
const messageShape = {
  content: [{ type: 'string' }],
  'parent_id?': 'string',
  'mode?': 'string',
  'mentions?': [{ id: 'string', label: 'string' }],
} as const;
const emptyEntry = (subject: string): StoredEntry => ({ subject, drafts: {}, unsent: [] });

/** Returns the draft of a conversation, whose id may be the name of an inherited property. */
function draftOf({ drafts }: StoredEntry, conversationId: string): string {
  return (Object.hasOwn(drafts, conversationId) && drafts[conversationId]) || '';
}

/** Prefix of temporary ids. */
const temporaryPrefix = 'new:';

/** Returns a temporary id for a conversation that has no session. */
export function temporaryId(uniqueId: string): string {
  return temporaryPrefix + uniqueId;
}

/** Returns the session id; null for a temporary id. */
function sessionIdOf(conversationId: string): string | null {
  return conversationId.startsWith(temporaryPrefix) ? null : conversationId;
}

const plainMessage = (text: string): MessageFields => ({ content: [{ type: 'text', text }] });

/** Reads a stored message; null if it is invalid. */
function readMessage([, , text, json]: StoredMessage): MessageFields | null {
  if (json === undefined) return plainMessage(text);
  try {
    const message: unknown = JSON.parse(json);
    return findFault(message, messageShape) === null ? (message as MessageFields) : null;
  } catch {
    // The text is not JSON.
    return null;
  }
}

const storeKey = (baseUrl: string) => `inlay:texts:${baseUrl}`;

/**
 * Deletes stored drafts and unsent messages, as `reset()` of a client does, on a page that has no
 * client.
 *
 * @param baseUrl The `baseUrl` of the client.
 * @param store The `draftStore` of the client; `session` by default.
 */
export function forgetDrafts(baseUrl: string, store: PageStore | PageStoreKind = 'session'): void {
  safeStore(store, 'draftStore').remove(storeKey(baseUrl.replace(/\/+$/, '')));
}

/**
 * Stores drafts and unsent messages across page loads. They are returned only after the platform has
 * identified the same end user, and deleted when it identifies another end user.
 */
export class DraftStore {
  readonly #store: PageStore;
  readonly #key: string;
  /** Loads the configuration, which names the agent and the end user. */
  readonly #identify: () => Promise<EmbedConfig>;
  /** Drafts and unsent messages of this page load. */
  #own = emptyEntry('');
  /** Unsent messages of earlier page loads and closed conversations that `claim` has not returned yet. */
  #unclaimed: StoredMessage[] = [];
  /** Id of the agent, once known. Each agent has its own entry in the store. */
  #agent: string | null = null;
  #loaded: Promise<void> | null = null;

  constructor(store: PageStore, baseUrl: string, identify: () => Promise<EmbedConfig>) {
    this.#store = store;
    this.#key = storeKey(baseUrl);
    this.#identify = identify;
  }

  /** Resolves when the drafts and messages of earlier page loads are available. */
  loaded(): Promise<void> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  /** Ids of the sessions with unclaimed messages; null for a conversation without a session. */
  get unclaimed(): readonly (string | null)[] {
    return [...new Set(this.#unclaimed.map(([id]) => sessionIdOf(id)))];
  }

  /** Makes an unsent message of a closed conversation available to `claim`. */
  release(key: string): void {
    this.#unclaimed.push(...this.#own.unsent.filter((each) => each[1] === key));
  }

  /** Removes and returns the unclaimed messages of a session, or of one conversation without a session. */
  claim(
    sessionId: string | null,
  ): readonly { readonly key: string; readonly message: MessageFields }[] {
    const first = this.#unclaimed.find(([id]) => sessionIdOf(id) === sessionId);
    const claimed = this.#unclaimed.filter(([id]) => id === first?.[0]);
    this.#unclaimed = this.#unclaimed.filter(([id]) => id !== first?.[0]);
    for (const [id, key] of claimed) {
      this.remove(key);
      this.move(id, sessionId ?? '');
    }
    return claimed.flatMap((stored) => {
      const message = readMessage(stored);
      return message ? [{ key: stored[1], message }] : [];
    });
  }

  draft(sessionId: string): string {
    return draftOf(this.#own, sessionId);
  }

  setDraft(sessionId: string, draft: string): void {
    this.#change(({ drafts }) => {
      if (draft) drafts[sessionId] = draft;
      else delete drafts[sessionId];
    });
  }

  /** Stores a message until it is sent. A message with the same key is replaced. */
  add(conversationId: string, key: string, { type: _, ...message }: UserMessageInput): void {
    const json = toJson(message) ?? '';
    const [block] = message.content;
    const text = block?.type === 'text' ? block.text : '';
    const isPlain = text !== '' && json === toJson(plainMessage(text));
    const unsent: StoredMessage = isPlain
      ? [conversationId, key, text]
      : [conversationId, key, '', json];
    this.#change((stored) => {
      const index = stored.unsent.findIndex((each) => each[1] === key);
      stored.unsent.splice(index < 0 ? stored.unsent.length : index, 1, unsent);
    });
  }

  /** Returns the event of an unsent message; null if there is none. */
  event(key: string): UserMessageInput | null {
    const stored = this.#own.unsent.find((each) => each[1] === key);
    const message = stored && readMessage(stored);
    return message ? { type: 'user.message', ...message } : null;
  }

  remove(key: string): void {
    this.#change((stored) => {
      stored.unsent = stored.unsent.filter((each) => each[1] !== key);
    });
  }

  /** Moves unsent messages, and the draft unless there is another one, to another conversation id. */
  move(from: string, to: string): void {
    this.#change((stored) => {
      stored.unsent = stored.unsent.map(([id, ...rest]) => [id === from ? to : id, ...rest]);
      const { drafts } = stored;
      const draft = draftOf(stored, from);
      if (!draft || draftOf(stored, to)) return;
      drafts[to] = draft;
      delete drafts[from];
    });
  }

  /** Deletes everything, because the page has another user now, or none. */
  forget(): void {
    this.#store.remove(this.#key);
    this.#own = emptyEntry('');
    this.#unclaimed = [];
    this.#agent = null;
    this.#loaded = null;
  }

  async #load(): Promise<void> {
    const own = this.#own;
    const { agent, token } = await this.#identify();
    // The user changed during the request.
    if (own !== this.#own) return;
    own.subject = token.external_user_id;
    this.#agent = agent.id;
    const stored = this.#read();
    this.#unclaimed.unshift(...stored.unsent);
    for (const [sessionId, typed] of Object.entries(own.drafts)) {
      const before = draftOf(stored, sessionId);
      // Appended, so that neither text is lost.
      if (before && before !== typed) own.drafts[sessionId] = `${before}\n${typed}`;
    }
    own.drafts = { ...stored.drafts, ...own.drafts };
    this.#write({ ...own, unsent: [...stored.unsent, ...own.unsent] });
  }

  /**
   * Changes `#own` and the stored entry. The stored entry is read and changed, not replaced by `#own`,
   * because another chat of the page may have changed it.
   */
  #change(change: (stored: StoredEntry) => void): void {
    change(this.#own);
    if (this.#agent === null) return;
    const stored = this.#read();
    change(stored);
    this.#write(stored);
  }

  #write(stored: StoredEntry): void {
    if (this.#agent === null) return;
    const all = this.#all();
    const isEmpty = stored.unsent.length === 0 && Object.keys(stored.drafts).length === 0;
    if (isEmpty) delete all[this.#agent];
    else all[this.#agent] = stored;
    if (Object.keys(all).length === 0) this.#store.remove(this.#key);
    else this.#store.write(this.#key, toJson(all) ?? '');
  }

  /** All entries by agent id. */
  #all(): Record<string, unknown> {
    try {
      const all: unknown = JSON.parse(this.#store.read(this.#key) ?? '{}');
      if (isRecord(all)) return all;
    } catch {
      // The value is not JSON: other code of the page wrote it.
    }
    return {};
  }

  /** Returns the user's entry; an empty one if the stored entry is invalid or of another user. */
  #read(): StoredEntry {
    const { subject } = this.#own;
    const stored = this.#all()[this.#agent ?? ''] as StoredEntry;
    return findFault(stored, entryShape) === null && stored.subject === subject
      ? stored
      : emptyEntry(subject);
  }
}
