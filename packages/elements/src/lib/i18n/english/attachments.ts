import type { Plural } from '../plural.ts';

/** What `inlay-attachments` says. */
export const attachmentsWords = {
  attachments: 'Attachments',
  uploading: 'Uploading {name}',
  uploadFailed: 'Not uploaded',
  removeFile: 'Remove {name}',
  retryFile: 'Upload {name} again',
  fileTooLarge: 'Larger than {size}',
  tooManyFiles: { one: 'At most {count} file', other: 'At most {count} files' } as Plural,
  fileTypeRefused: 'This kind of file is not accepted',
  fileEmpty: 'The file is empty',
} as const;
