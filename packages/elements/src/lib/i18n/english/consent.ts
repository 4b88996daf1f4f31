/** What `inlay-consent` says. */
export const consentWords = {
  consentTitle: 'Before we begin',
  accept: 'Accept and continue',
} as const;
