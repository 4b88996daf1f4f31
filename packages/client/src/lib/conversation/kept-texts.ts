import type { EmbedConfig, UserMessageInput } from '@inlay/protocol';
import { type PageStore, type PageStoreKind, quietStore } from '../page-store.ts';
import { findFault, isRecord } from '../wire/shape.ts';

/** What is kept: text that one person wrote, and nothing else. */
interface Kept {
  /** The end user whose text it is. */
  subject: string;
  /** What stands in the composer, by the session's id; by the empty string before there is one. */
  drafts: Record<string, string>;
  /** What was said and is not known to be in the log, oldest first. */
  unsent: Unsent[];
}

/**
 * `place`: the session's id, or a name of the conversation's own before there is one. `more` is the
 * whole message as JSON where it is more than a text, which is then empty.
 */
type Unsent = [place: string, key: string, text: string, more?: string];

/** What is kept of a message. */
export type KeptMessage = Omit<UserMessageInput, 'type'>;

const shape = { subject: 'string', drafts: 'object', unsent: [['string']] } as const;
const messageShape = {
  content: [{ type: 'string' }],
  'parent_id?': 'string',
  'mode?': 'string',
  'mentions?': [{ id: 'string', label: 'string' }],
} as const;
const nothing = (subject: string): Kept => ({ subject, drafts: {}, unsent: [] });

/** Before the name of a conversation that has no session. */
const unnamed = 'new:';

/** A name for a conversation that has no session. */
export function newPlace(uniqueId: string): string {
  return unnamed + uniqueId;
}

function sessionOf(place: string): string | null {
  return place.startsWith(unnamed) ? null : place;
}

const plain = (text: string): KeptMessage => ({ content: [{ type: 'text', text }] });

/** Null for something that the page's own code wrote. */
function readMessage(json: string): KeptMessage | null {
  try {
    const message: unknown = JSON.parse(json);
    return findFault(message, messageShape) === null ? (message as KeptMessage) : null;
  } catch {
    return null;
  }
}

const keyOf = (baseUrl: string) => `inlay:texts:${baseUrl}`;

/**
 * Deletes stored drafts and unsent messages, as `reset()` of a client does, for a page on which no
 * client was made yet.
 *
 * @param baseUrl - The address of the platform, as a client has it.
 * @param store - The `textStore` of the client. Default: `session`.
 */
export function forgetTexts(baseUrl: string, store: PageStore | PageStoreKind = 'session'): void {
  quietStore(store, 'textStore').remove(keyOf(baseUrl.replace(/\/+$/, '')));
}

/**
 * Keeps what a person wrote over a reload. It is theirs alone: it is given out only when the
 * platform has said who the person is, and deleted when that is somebody else.
 */
export class KeptTexts {
  readonly #store: PageStore;
  readonly #key: string;
  readonly #identify: () => Promise<EmbedConfig>;
  #own = nothing('');
  /** What page loads before this one, and closed views, did not get sent, until a conversation takes it. */
  #left: Unsent[] = [];
  /** The agent whose chat this is, when it is known; what is kept is kept by it. */
  #agent: string | null = null;
  #known: Promise<void> | null = null;

  constructor(store: PageStore, baseUrl: string, identify: () => Promise<EmbedConfig>) {
    this.#store = store;
    this.#key = keyOf(baseUrl);
    this.#identify = identify;
  }

  /** Resolves when what was kept before this page load is known. */
  known(): Promise<void> {
    this.#known ??= this.#learn();
    return this.#known;
  }

  /** The sessions in which something is left that nobody took; null for one without a session. */
  get left(): readonly (string | null)[] {
    return [...new Set(this.#left.map(([place]) => sessionOf(place)))];
  }

  /** Leaves to the next view what failed in one that is closed. */
  leave(key: string): void {
    this.#left.push(...this.#own.unsent.filter((each) => each[1] === key));
  }

  /** Takes what is left of a session, or of one conversation that has none: once. */
  takeLeft(
    sessionId: string | null,
  ): readonly { readonly key: string; readonly message: KeptMessage }[] {
    const first = this.#left.find(([place]) => sessionOf(place) === sessionId);
    const taken = this.#left.filter(([place]) => place === first?.[0]);
    this.#left = this.#left.filter((each) => !taken.includes(each));
    for (const [, key] of taken) this.remove(key);
    return taken.flatMap(([, key, text, more]) => {
      const message = more === undefined ? plain(text) : readMessage(more);
      return message ? [{ key, message }] : [];
    });
  }

  draft(sessionId: string): string {
    return this.#own.drafts[sessionId] ?? '';
  }

  setDraft(sessionId: string, draft: string): void {
    this.#change(({ drafts }) => {
      if (draft) drafts[sessionId] = draft;
      else delete drafts[sessionId];
    });
  }

  /** Keeps a message until it is sent, or in place of what was kept of it before. */
  keep(place: string, key: string, { type: _, ...message }: UserMessageInput): void {
    const json = JSON.stringify(message);
    const [block] = message.content;
    const text = block?.type === 'text' ? block.text : '';
    const isPlain = text !== '' && json === JSON.stringify(plain(text));
    const unsent: Unsent = isPlain ? [place, key, text] : [place, key, '', json];
    this.#change((kept) => {
      const at = kept.unsent.findIndex((each) => each[1] === key);
      kept.unsent.splice(at < 0 ? kept.unsent.length : at, 1, unsent);
    });
  }

  remove(key: string): void {
    this.#change((kept) => {
      kept.unsent = kept.unsent.filter((each) => each[1] !== key);
    });
  }

  /** The conversation of a place has got its session. */
  move(from: string, sessionId: string): void {
    this.#change((kept) => {
      kept.unsent = kept.unsent.map(([place, ...rest]) => [
        place === from ? sessionId : place,
        ...rest,
      ]);
    });
  }

  /** Another person uses the page: nothing of the former one stays, in any chat. */
  forget(): void {
    this.#store.remove(this.#key);
    this.#own = nothing('');
    this.#left = [];
    this.#agent = null;
    this.#known = null;
  }

  async #learn(): Promise<void> {
    const own = this.#own;
    const { agent, token } = await this.#identify();
    // Another person came while the platform was asked about this one.
    if (own !== this.#own) return;
    own.subject = token.external_user_id;
    this.#agent = agent.id;
    const kept = this.#stored();
    this.#left = kept.unsent;
    for (const [sessionId, typed] of Object.entries(own.drafts)) {
      const before = kept.drafts[sessionId];
      // Behind what was kept, as a person would go on: neither is lost.
      if (before && before !== typed) own.drafts[sessionId] = `${before}\n${typed}`;
    }
    own.drafts = { ...kept.drafts, ...own.drafts };
    this.#write({ ...own, unsent: [...kept.unsent, ...own.unsent] });
  }

  // What is stored is changed and not replaced: another chat on the page may keep its own in it.
  #change(change: (kept: Kept) => void): void {
    change(this.#own);
    if (this.#agent === null) return;
    const kept = this.#stored();
    change(kept);
    this.#write(kept);
  }

  #write(kept: Kept): void {
    if (this.#agent === null) return;
    const all = this.#all();
    const isEmpty = kept.unsent.length === 0 && Object.keys(kept.drafts).length === 0;
    if (isEmpty) delete all[this.#agent];
    else all[this.#agent] = kept;
    if (Object.keys(all).length === 0) this.#store.remove(this.#key);
    else this.#store.write(this.#key, JSON.stringify(all));
  }

  /** What the chats of the page keep, by their agents. */
  #all(): Record<string, unknown> {
    try {
      const all: unknown = JSON.parse(this.#store.read(this.#key) ?? '{}');
      if (isRecord(all)) return all;
    } catch {
      // Something that the page's own code wrote.
    }
    return {};
  }

  /** What this person has there. Text of another person, or of another form, counts as nothing. */
  #stored(): Kept {
    const { subject } = this.#own;
    const kept = this.#all()[this.#agent ?? ''] as Kept;
    return findFault(kept, shape) === null && kept.subject === subject ? kept : nothing(subject);
  }
}
