import type { FeedbackReason } from './events.ts';

/** UI state of an entry. */
export interface EntryUiState {
  /** Whether its details are expanded; undefined if the user has not toggled them. */
  readonly open?: boolean | undefined;
  /** The new text of a message that is being edited. */
  readonly edit?: string | undefined;
  /** Values typed into the fields of a card, by name. */
  readonly values?: Readonly<Record<string, unknown>> | undefined;
  /** The serialized reply to a card that this page has sent, until the server confirms one. */
  readonly sent?: string | undefined;
  /** Whether the card, confirmation request or failure was announced to screen reader users. */
  readonly announced?: boolean | undefined;
  /** Whether the user's decision was sent, until the server confirms it. */
  readonly decision?: 'sent' | 'unsent' | undefined;
  /** A rating whose reasons and comment were not sent yet. */
  readonly feedback?: FeedbackDraft | undefined;
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

/** Changes the UI state of an entry. */
export function updateUiState(uiStates: EntryUiStates, key: string, changes: EntryUiState): void {
  uiStates.set(key, { ...uiStates.get(key), ...changes });
}
