import type { Readable } from 'node:stream';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { DocumentError } from './document-error.ts';
import { type MarkupRules, markupText } from './markup-text.ts';

/** Maximum bytes of XML in a document. A small archive can unpack to any size. */
const maximumBytes = 104_857_600;
/** Maximum files in the archive of a document. */
const maximumEntries = 10_000;

/** The XML files with text in a type of documents, and how their text is read. */
interface Format {
  readonly type: RegExp;
  readonly files: RegExp;
  /** Elements whose text is a part of the document; null for all. */
  readonly texts: RegExp | null;
  /** Elements after which a line ends. */
  readonly lines: RegExp;
  /** Elements that stand for a space or a tab. */
  readonly spaces: RegExp;
}

const formats: readonly Format[] = [
  {
    type: /wordprocessingml/,
    files: /^word\/(?:document|footnotes|endnotes)\.xml$/,
    texts: /^w:t$/,
    lines: /^w:(?:p|br)$/,
    spaces: /^w:(?:tab|tc)$/,
  },
  {
    type: /presentationml/,
    files: /^ppt\/(?:slides|notesSlides)\/\w+\.xml$/,
    texts: /^a:t$/,
    lines: /^a:(?:p|br)$/,
    spaces: /^a:tab$/,
  },
  {
    // Texts of the cells, each once; numbers without their labels are of no use for a search.
    type: /spreadsheetml/,
    files: /^xl\/(?:sharedStrings|worksheets\/\w+)\.xml$/,
    texts: /^t$/,
    lines: /^(?:si|is|row)$/,
    spaces: /^c$/,
  },
  {
    type: /oasis/,
    files: /^content\.xml$/,
    texts: null,
    lines: /^text:(?:p|h|line-break)$/,
    spaces: /^text:(?:s|tab)$|^table:table-cell$/,
  },
];

/**
 * Yields the text of a document of Office Open XML or OpenDocument.
 *
 * @throws DocumentError if the archive is damaged, encrypted or too large.
 */
export async function* officeText(bytes: Buffer, mimeType: string): AsyncGenerator<string> {
  const format = formats.find(({ type }) => type.test(mimeType));
  if (!format) throw new DocumentError('unsupported_file', `The type ${mimeType} is not known.`);
  try {
    const archive = await openArchive(bytes);
    const entries = (await entriesOf(archive)).filter((entry) => format.files.test(entry.fileName));
    entries.sort((a, b) => a.fileName.localeCompare(b.fileName, 'en', { numeric: true }));
    let remaining = maximumBytes;
    for (const entry of entries) {
      const stream = await openEntry(archive, entry);
      yield* markupText(decode(stream), () => rulesOf(format));
    }

    async function* decode(stream: Readable): AsyncGenerator<string> {
      const decoder = new TextDecoder();
      for await (const piece of stream as AsyncIterable<Buffer>) {
        remaining -= piece.byteLength;
        if (remaining < 0) {
          throw new DocumentError(
            'invalid_file',
            `The document unpacks to more than ${maximumBytes} bytes. Divide it, or add it as text.`,
          );
        }
        yield decoder.decode(piece, { stream: true });
      }
      yield decoder.decode();
    }
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    throw new DocumentError(
      'invalid_file',
      'The document is damaged or encrypted. Save it again without a password.',
    );
  }
}

function rulesOf({ texts, lines, spaces }: Format): MarkupRules {
  let open = 0;
  return {
    isXml: true,
    onOpen(name) {
      if (texts?.test(name)) open += 1;
      return '';
    },
    onText: (text) => (texts === null || open > 0 ? text : ''),
    onClose(name) {
      if (texts?.test(name)) open -= 1;
      if (lines.test(name)) return '\n';
      return spaces.test(name) ? '\t' : '';
    },
  };
}

function openArchive(bytes: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, archive) =>
      error ? reject(error) : resolve(archive),
    );
  });
}

function entriesOf(archive: ZipFile): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    if (archive.entryCount > maximumEntries) return reject(new Error('too many files'));
    archive.on('entry', (entry: Entry) => {
      entries.push(entry);
      archive.readEntry();
    });
    archive.once('end', () => resolve(entries));
    archive.once('error', reject);
    archive.readEntry();
  });
}

function openEntry(archive: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    archive.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
  });
}
