/** What `inlay-user-actions` says. */
export const userActionsWords = {
  copyMessage: 'Copy message',
  edit: 'Edit',
  versionOf: 'Version {at} of {of}',
  previousVersion: 'Previous version',
  nextVersion: 'Next version',
} as const;
