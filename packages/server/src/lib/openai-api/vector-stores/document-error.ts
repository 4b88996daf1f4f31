/** The text of a file cannot be read. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  readonly code: 'unsupported_file' | 'invalid_file';

  /** @param message What is wrong with the file, and the remedy. */
  constructor(code: DocumentError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
