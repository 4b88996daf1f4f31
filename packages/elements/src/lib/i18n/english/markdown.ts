import type { Plural } from '../plural.ts';

/** What stands around the text of an answer. */
export const markdownWords = {
  copyFailed: 'Copying is not allowed here. The code is selected: press Ctrl+C or ⌘C.',
  codeBlock: 'Code',
  taskDone: 'Done',
  taskOpen: 'To do',
  alertNote: 'Note',
  alertTip: 'Tip',
  alertImportant: 'Important',
  alertWarning: 'Warning',
  alertCaution: 'Caution',
  wrapCode: 'Wrap lines',
  loadImage: 'Load image from {host}',
  loadingImage: 'Loading image from {host}',
  imageFailed: 'The image from {host} could not be loaded',
  footnote: 'Footnote {number}',
  footnotes: 'Footnotes',
  footnoteBack: 'Back to the text of footnote {number}',
  source: 'Source {number}: {title}',
  sources: { one: '1 source', other: '{count} sources' } as Plural,
} as const;
