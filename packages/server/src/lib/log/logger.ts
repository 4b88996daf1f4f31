import { pino } from 'pino';

/** Fields of a log line. Never contains secrets: headers, bodies and queries are not logged. */
export type LogFields = Record<string, string | number | boolean | null | undefined>;

/** Structured logger: one JSON object per line. */
export interface Logger {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** Maximum bytes of the lines that are buffered while the log cannot be written. Further lines are dropped. */
const maximumBufferedBytes = 1_048_576;

/** Milliseconds after which buffered lines are written again. */
const retryInterval = 100;

/** Times that the process waits for `retryInterval` and writes buffered lines again when it exits. */
const attemptsOnExit = 5;

/**
 * Creates a logger. Credentials are redacted in the fields `error` and `stack`, which may quote
 * messages of other programs.
 *
 * @param now Returns the time in milliseconds since the epoch.
 * @param write Called with each line.
 * @default write Writes to standard error.
 */
export function createLogger(now: () => number, write?: (line: string) => void): Logger {
  const logger = pino(
    {
      base: null,
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date(now()).toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
      serializers: { error: redact, stack: redact },
    },
    { write: write ?? openStandardError((dropped) => log.warn('log lines dropped', { dropped })) },
  );
  const log: Logger = {
    info: (message, fields = {}) => logger.info(fields, message),
    warn: (message, fields = {}) => logger.warn(fields, message),
    error: (message, fields = {}) => logger.error(fields, message),
  };
  return log;
}

/**
 * Returns a function that writes lines to standard error. It writes at once, so that no line is lost
 * when the process is killed, and never waits: while the disk is full, or the reader of a pipe does not
 * read, lines are buffered, and written later. If the reader has closed the pipe, all lines are dropped.
 *
 * @param onDropped Called with the number of lines that did not fit into the buffer, when the lines
 *   before them have been written.
 */
function openStandardError(onDropped: (count: number) => void): (line: string) => void {
  // Node makes a pipe non-blocking when it opens the stream. Otherwise, a write to a full pipe would
  // block the process until the reader reads.
  void process.stderr;
  const destination = pino.destination({
    dest: 2,
    sync: true,
    // `flush` does nothing without a `minLength`.
    minLength: 1,
    maxLength: maximumBufferedBytes,
    // A full pipe is an error like a full disk. A retry here would block the process.
    retryEAGAIN: () => false,
  });
  let dropped = 0;
  let failure: string | undefined;
  let isRetrying = false;
  const flush = () => {
    failure = undefined;
    destination.flush();
  };
  destination.on('error', ({ code }: NodeJS.ErrnoException) => {
    failure = code;
    if (isRetrying) return;
    isRetrying = true;
    setTimeout(() => {
      isRetrying = false;
      flush();
    }, retryInterval).unref();
  });
  destination.on('drop', () => {
    dropped += 1;
  });
  destination.on('drain', () => {
    if (dropped === 0) return;
    const count = dropped;
    dropped = 0;
    onDropped(count);
  });
  // The lines that are still buffered, unless the reader of a pipe does not read for half a second.
  process.once('exit', () => {
    flush();
    for (let attempt = 0; failure === 'EAGAIN' && attempt < attemptsOnExit; attempt += 1) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryInterval);
      flush();
    }
  });
  return (line) => void destination.write(line);
}

/** Returns the log fields of an error: its name and message as `error`, and its stack. */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error) };
  return { error: `${error.name}: ${error.message}`, stack: error.stack };
}

/** Redacts credentials of this platform, and credentials in URLs. */
function redact(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value
    .replace(/\b(et_|ec_|vs_|sk-)[A-Za-z0-9_-]{8,}/g, '$1…')
    .replace(/(:\/\/)[^\s/@]+@/g, '$1…@');
}
