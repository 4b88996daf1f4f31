/** The words that the Markdown element itself says. Give others to speak another language. */
export interface MarkdownLabels {
  /** Name of the button that copies a block of code. */
  readonly copy: string;
  /** What the button says, and what is announced, once the code is copied. */
  readonly copied: string;
  /** What is announced when the browser does not let the page copy; the code is selected instead. */
  readonly copyFailed: string;
  /** Name of a block of code whose language is not known. */
  readonly code: string;
  /** Name of the scrolling area around a table. */
  readonly table: string;
  /** Name of a ticked box in a task list. */
  readonly taskDone: string;
  /** Name of an empty box in a task list. */
  readonly taskOpen: string;
  /** Stands in for a picture that is not loaded because the host page does not allow its origin. */
  readonly imageBlocked: (host: string) => string;
}

export const englishMarkdownLabels: MarkdownLabels = {
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Copying is not allowed here. The code is selected: press Ctrl+C or ⌘C.',
  code: 'Code',
  table: 'Table',
  taskDone: 'Done',
  taskOpen: 'To do',
  imageBlocked: (host) => `Image from ${host} not loaded`,
};
