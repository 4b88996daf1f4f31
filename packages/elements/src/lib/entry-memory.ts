import type { FeedbackReason } from './events.ts';

/** What the user did to an entry and has not sent. */
export interface EntryMemo {
  /** Whether its details are unfolded; undefined where the user did not touch them. */
  readonly open?: boolean;
  /** The new text of a message that is being edited. */
  readonly edit?: string;
  /** What was typed into the fields of a card, by name. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Whether those who hear the page were told of it: that it waits for them, or that it failed. */
  readonly announced?: boolean;
  /** What became of the user's decision, while the platform has not said so itself. */
  readonly decision?: 'sent' | 'unsent';
  /** Why an answer was rated so, while it is being said. */
  readonly feedback?: FeedbackDraft;
}

export interface FeedbackDraft {
  readonly rating: 'up' | 'down';
  readonly reasons: readonly FeedbackReason[];
  readonly comment: string;
}

/**
 * What the user did to the entries of one conversation, by their keys. The elements of entries
 * come and go as the reader scrolls; this stays with whoever shows the conversation, and ends with it.
 */
export type EntryMemory = Map<string, EntryMemo>;

/** Notes changes about an entry. `undefined` takes a note back. */
export function remember(
  memory: EntryMemory,
  key: string,
  changes: { readonly [Name in keyof EntryMemo]: EntryMemo[Name] | undefined },
): void {
  const kept = Object.entries({ ...memory.get(key), ...changes }).filter(
    ([, value]) => value !== undefined,
  );
  if (kept.length > 0) memory.set(key, Object.fromEntries(kept));
  else memory.delete(key);
}
