/** What `inlay-suggestions` says. */
export const suggestionsWords = {
  followUps: 'Suggested replies',
} as const;
