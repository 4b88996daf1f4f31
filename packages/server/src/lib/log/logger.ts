import { pino } from 'pino';

/** Fields of a log line. Never contains secrets: headers, bodies and queries are not logged. */
export type LogFields = Record<string, string | number | boolean | null | undefined>;

/** Structured logger: one JSON object per line. */
export interface Logger {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** Maximum bytes of the lines that are buffered while the disk is full. Further lines are dropped. */
const maximumBufferedBytes = 1_048_576;

/**
 * Creates a logger. Credentials are redacted in the fields `error` and `stack`, which may quote
 * messages of other programs.
 *
 * @param now Returns the time in milliseconds since the epoch.
 * @param write Called with each line.
 * @default write Writes to standard error.
 */
export function createLogger(
  now: () => number,
  write: (line: string) => void = openStandardError(),
): Logger {
  const logger = pino(
    {
      base: null,
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date(now()).toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
      serializers: { error: redact, stack: redact },
    },
    { write },
  );
  return {
    info: (message, fields = {}) => logger.info(fields, message),
    warn: (message, fields = {}) => logger.warn(fields, message),
    error: (message, fields = {}) => logger.error(fields, message),
  };
}

/**
 * Returns a function that writes lines to standard error. It writes synchronously, so that no line is
 * lost when the process is killed. While the disk is full, lines are buffered, and written with the
 * next line. If the reader of standard error has closed it, all lines are dropped.
 */
function openStandardError(): (line: string) => void {
  // `flush` does nothing without a `minLength`.
  const options = { dest: 2, sync: true, minLength: 1, maxLength: maximumBufferedBytes };
  const destination = pino.destination(options);
  destination.on('error', () => {});
  // pino does not try to write the buffered lines when it drops a line.
  destination.on('drop', () => destination.flush());
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
