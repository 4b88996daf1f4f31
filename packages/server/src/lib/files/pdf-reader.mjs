// @ts-check
/**
 * Program that reads a PDF from its standard input, and writes its text to its standard output. A process
 * of its own, because a worker thread that exceeds its memory limit can end the whole process. Plain
 * JavaScript, so that Node runs it from the sources as well.
 *
 * Each line of the output is a JSON object. The first is empty, when the input has been received. Then
 * `{ pages }` has the number of pages, and `{ page, text }` each piece of a page, in order. The last line
 * has `complete`, whether all pages were read, or a `problem`. The lines before an abrupt end are valid.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** Milliseconds between two checks of the memory. */
const checkInterval = 20;

/** Tables that assign characters to the codes of Chinese, Japanese and Korean fonts. The build copies them. */
const tables = new URL('./cmaps/', import.meta.url);

if (isMainThread) await superviseReader(JSON.parse(process.argv[2] ?? ''));
else await readPages(workerData);

/**
 * Starts a thread that reads the PDF, which can keep a thread busy forever, and ends the process when it
 * exceeds a limit.
 *
 * @param {{ pages: number, characters: number, processBytes: number, milliseconds: number }} limits
 *   `processBytes` bounds the memory of the process, which contains the decompressed file.
 *   `milliseconds` bounds the life of this process, also after the death of its parent.
 */
async function superviseReader({ processBytes, milliseconds, ...limits }) {
  preferForTermination();
  setInterval(() => {
    if (process.memoryUsage.rss() > processBytes) process.exit(1);
  }, checkInterval).unref();
  setTimeout(() => process.exit(1), milliseconds).unref();
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  // Before the memory is needed, so that a file that is too large counts as read.
  write({});
  const bytes = Uint8Array.from(Buffer.concat(chunks.splice(0)));
  const reader = new Worker(new URL(import.meta.url), {
    workerData: { bytes, ...limits },
    transferList: [bytes.buffer],
    // Warnings of the library, which quote the file.
    stdout: true,
    stderr: true,
  });
  reader.on('message', write);
  reader.on('error', () => process.exit(1));
}

/** Makes Linux end this process, and not the server, if the memory of the machine or container ends. */
function preferForTermination() {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Another operating system, or no `/proc`.
  }
}

/** @param {object} line */
function write(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/**
 * Sends the number of pages and the text of each page to the supervisor.
 *
 * @param {{ bytes: Uint8Array, pages: number, characters: number }} options `pages` and `characters` are
 *   limits; more is not read.
 */
async function readPages({ bytes, pages, characters }) {
  const { getDocument, VerbosityLevel } = await loadLibrary();
  try {
    const document = await getDocument({
      data: bytes,
      isEvalSupported: false,
      useWasm: false,
      useSystemFonts: false,
      disableFontFace: true,
      verbosity: VerbosityLevel.ERRORS,
      cMapUrl: fileURLToPath(
        existsSync(tables) ? tables : import.meta.resolve('pdfjs-dist/cmaps/'),
      ),
    }).promise;
    send({ pages: document.numPages });
    let remaining = characters;
    for (let page = 1; page <= Math.min(document.numPages, pages) && remaining > 0; page += 1) {
      for await (const text of textOfPage(document, page)) {
        send({ page, text: text.slice(0, remaining) });
        remaining -= text.length;
        if (remaining <= 0) break;
      }
    }
    send({ complete: document.numPages <= pages && remaining > 0 });
  } catch (error) {
    const isEncrypted = error instanceof Error && error.name === 'PasswordException';
    send({ problem: isEncrypted ? 'encrypted' : 'damaged' });
  }
  // Unfinished work of the library would keep the thread alive.
  process.exit();
}

/** @param {object} line */
function send(line) {
  parentPort?.postMessage(line);
}

async function loadLibrary() {
  // The library creates a matrix when it is loaded, and would load native code for it. Text needs none.
  for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) {
    Object.assign(globalThis, { [name]: class {} });
  }
  // Decompresses without bound before the first byte is read. The library then does it piece by piece.
  Reflect.deleteProperty(globalThis, 'DecompressionStream');
  // Registers the parser, which otherwise would run in another thread.
  // @ts-expect-error The library has no types for it.
  await import('pdfjs-dist/legacy/build/pdf.worker.min.mjs');
  return import('pdfjs-dist/legacy/build/pdf.mjs');
}

/**
 * Yields the text of a page in pieces, up to damaged data.
 *
 * @param {import('pdfjs-dist').PDFDocumentProxy} document
 * @param {number} number - From 1.
 */
async function* textOfPage(document, number) {
  try {
    const page = await document.getPage(number);
    const reader = page.streamTextContent().getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      yield textOf(value.items);
    }
    page.cleanup();
  } catch {
    // The other pages may be whole.
  }
}

/** @param {readonly { str: string, hasEOL: boolean }[]} items */
function textOf(items) {
  const text = items.map(({ str, hasEOL }) => (hasEOL ? `${str}\n` : str)).join('');
  // Databases and providers of models reject NUL.
  return text.replaceAll('\0', '');
}
