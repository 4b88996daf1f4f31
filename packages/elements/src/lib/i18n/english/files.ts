import type { Plural } from '../plural.ts';

/** Files, being attached or in the conversation. */
export const filesWords = {
  attachments: 'Attachments',
  uploading: 'Uploading {name}',
  uploadFailed: 'Not uploaded',
  removeFile: 'Remove {name}',
  retryFile: 'Upload {name} again',
  fileTooLarge: 'Larger than {size}',
  tooManyFiles: { one: 'At most {count} file', other: 'At most {count} files' } as Plural,
  fileTypeRefused: 'This kind of file is not accepted',
  fileEmpty: 'The file is empty',
  document: 'Document',
  openFile: 'Open {name}',
  downloadFile: 'Download {name}',
  fileFailed: 'Could not be loaded',
} as const;
