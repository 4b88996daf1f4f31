import { DocumentError } from './document-error.ts';

/** A file whose text is read. */
export interface DocumentFile {
  readonly filename: string;
  /** Type that the content has, as `DocumentSniffer` detected it. */
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Maximum bytes of a document that is read as a whole, which is an archive of XML files. */
const maximumArchiveBytes = 26_214_400;

/**
 * Yields the text of a file in pieces: text, Markdown, JSON and code as they are, HTML and documents
 * of Office and OpenDocument without their markup.
 *
 * @throws DocumentError if the file has no text that can be read.
 */
export async function* readDocument(file: DocumentFile): AsyncGenerator<string> {
  const { mimeType, filename } = file;
  if (mimeType.startsWith('text/')) {
    const pieces = decode(file.bytes);
    if (!/\.x?html?$/i.test(filename)) yield* pieces;
    else {
      const { htmlText } = await import('./markup-text.ts');
      yield* htmlText(pieces);
    }
    return;
  }
  if (!/^application\/vnd\.(?:openxmlformats|oasis)/.test(mimeType)) {
    throw new DocumentError(
      'unsupported_file',
      `Files of the type ${mimeType} have no text that can be read here. Add it as text, Markdown, HTML, or a document of Office or OpenDocument.`,
    );
  }
  if (file.sizeBytes > maximumArchiveBytes) {
    throw new DocumentError(
      'invalid_file',
      `Documents of Office and OpenDocument may have at most ${maximumArchiveBytes} bytes here. Divide the document, or add it as text.`,
    );
  }
  const { officeText } = await import('./office-text.ts');
  const pieces: Uint8Array[] = [];
  for await (const piece of file.bytes) pieces.push(piece);
  yield* officeText(Buffer.concat(pieces), mimeType);
}

async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of bytes) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}
