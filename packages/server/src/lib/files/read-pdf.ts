import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { truncateToBytes } from '../agent-models/truncate-to-bytes.ts';
import type { Clock } from '../clock.ts';

/** The text of a PDF, or why it has none. Stored as JSON in `files.extracted_text`. */
export type PdfText =
  | {
      readonly pages: number;
      /** Each page with text starts with its number. */
      readonly text: string;
      /** Whether the text of all pages was read. */
      readonly isComplete: boolean;
    }
  | { readonly problem: PdfProblem };

export type PdfProblem = 'damaged' | 'encrypted' | 'no_text' | 'too_complex';

/** Milliseconds in which the text of a PDF is read. The text so far is used. */
const timeLimit = 20_000;
/** Pages that are read. */
const maximumPages = 500;
/**
 * Maximum memory of the process that reads a PDF: a small file can decompress to any size. Two of them
 * fit beside a server into the memory limit of the Compose file and the Helm chart.
 */
const maximumProcessBytes = 335_544_320;
/** Maximum memory of its objects, in MiB. */
const maximumHeapMegabytes = 160;
/** Milliseconds after which the process ends itself, even if this process has ended or is blocked. */
const maximumLifetime = 120_000;

const program = fileURLToPath(new URL('./pdf-reader.mjs', import.meta.url));

/** A line of the output of `pdf-reader.mjs`. The first one is empty, when the input was received. */
interface Line {
  readonly pages?: number;
  readonly page?: number;
  readonly text?: string;
  readonly complete?: boolean;
  readonly problem?: PdfProblem;
}

/**
 * Reads the text of a PDF in a process of its own, which has no environment variables and runs no code of
 * the file.
 *
 * @param bytes The content of the file.
 * @param options.maximumBytes Bytes in UTF-8 after which the text is cut.
 * @param options.signal Ends the process.
 * @returns Null if it could not be tried, or `signal` was aborted.
 * @throws If the content cannot be read from its storage.
 */
export async function readPdf(
  bytes: AsyncIterable<Uint8Array>,
  options: { clock: Clock; maximumBytes: number; signal: AbortSignal },
): Promise<PdfText | null> {
  const { clock, maximumBytes, signal } = options;
  if (signal.aborted) return null;
  const reader = startReader(maximumBytes);
  const kill = () => void reader.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  let cancelTimer = () => {};
  try {
    const startTimer = () => {
      cancelTimer = clock.after(timeLimit, kill);
    };
    const [lines] = await Promise.all([
      collectLines(reader.stdout, startTimer),
      writeAll(reader.stdin, bytes),
    ]);
    const wasTried = lines.length > 0 && !signal.aborted;
    return wasTried ? toPdfText(lines, maximumBytes) : null;
  } finally {
    cancelTimer();
    signal.removeEventListener('abort', kill);
    kill();
  }
}

function startReader(maximumCharacters: number): ChildProcessByStdio<Writable, Readable, null> {
  const limits = {
    pages: maximumPages,
    characters: maximumCharacters,
    processBytes: maximumProcessBytes,
    milliseconds: maximumLifetime,
  };
  const flags = [
    `--max-old-space-size=${maximumHeapMegabytes}`,
    '--disallow-code-generation-from-strings',
  ];
  const reader = spawn(process.execPath, [...flags, program, JSON.stringify(limits)], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  // A process that cannot be started, or ends early, has an output without lines.
  reader.on('error', () => {});
  return reader;
}

/** Resolves with the lines when the process has ended. `onReceived` is called with the first line. */
async function collectLines(output: Readable, onReceived: () => void): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of createInterface({ input: output })) {
    if (lines.length === 0) onReceived();
    try {
      lines.push(JSON.parse(line) as Line);
    } catch {
      // The process was ended within the line.
    }
  }
  return lines;
}

/** @throws If `bytes` throws. A process that ends early is no error here. */
async function writeAll(input: Writable, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  let failure: { readonly cause: unknown } | null = null;
  const watched = (async function* () {
    try {
      yield* bytes;
    } catch (cause) {
      failure = { cause };
    }
  })();
  await pipeline(watched, input).catch(() => {});
  if (failure) throw (failure as { cause: unknown }).cause;
}

function toPdfText(lines: readonly Line[], maximumBytes: number): PdfText {
  const problem = lines.find((line) => line.problem)?.problem;
  if (problem) return { problem };
  const complete = lines.at(-1)?.complete;
  const pages = lines.find((line) => line.pages !== undefined)?.pages ?? 0;
  const texts = new Map<number, string>();
  for (const { page, text } of lines) {
    if (page !== undefined) texts.set(page, (texts.get(page) ?? '') + text);
  }
  const text = [...texts]
    .filter(([, text]) => text.trim() !== '')
    .map(([page, text]) => `[Page ${page}]\n${text.trim()}`)
    .join('\n\n');
  if (text === '') return { problem: complete === undefined ? 'too_complex' : 'no_text' };
  const cut = truncateToBytes(text, maximumBytes);
  return { pages, text: cut, isComplete: complete === true && cut === text };
}
