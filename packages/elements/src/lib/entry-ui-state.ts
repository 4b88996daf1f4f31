import type { FeedbackReason } from './events.ts';

/** UI state of an entry. */
export interface EntryUiState {
  /** Whether its details are expanded; undefined if the user has not toggled them. */
  readonly open?: boolean;
  /** The new text of a message that is being edited. */
  readonly edit?: string;
  /** Values typed into the fields of a card, by name. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Whether the card, confirmation request or failure was announced to screen reader users. */
  readonly announced?: boolean;
  /** Whether the user's decision was sent, until the server confirms it. */
  readonly decision?: 'sent' | 'unsent';
  /** A rating whose reasons and comment were not sent yet. */
  readonly feedback?: FeedbackDraft;
}

export interface FeedbackDraft {
  readonly rating: 'up' | 'down';
  readonly reasons: readonly FeedbackReason[];
  readonly comment: string;
}

/**
 * UI state of the entries of one conversation, by key. The message list adds and removes the elements
 * of entries on scrolling, so their state is stored here.
 */
export type EntryUiStates = Map<string, EntryUiState>;

/** Changes the UI state of an entry. Undefined values are removed. */
export function updateUiState(
  uiStates: EntryUiStates,
  key: string,
  changes: { readonly [Name in keyof EntryUiState]: EntryUiState[Name] | undefined },
): void {
  const defined = Object.entries({ ...uiStates.get(key), ...changes }).filter(
    ([, value]) => value !== undefined,
  );
  if (defined.length > 0) uiStates.set(key, Object.fromEntries(defined));
  else uiStates.delete(key);
}
