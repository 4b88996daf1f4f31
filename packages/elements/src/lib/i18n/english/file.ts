/** What `inlay-file` says. */
export const fileWords = {
  document: 'Document',
  openFile: 'Open {name}',
  downloadFile: 'Download {name}',
  fileFailed: 'Could not be loaded',
} as const;
