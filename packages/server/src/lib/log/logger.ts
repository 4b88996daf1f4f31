/** Fields of a log line. Never contains secrets: headers, bodies and queries are not logged. */
export type LogFields = Record<string, string | number | boolean | null | undefined>;

/** Structured logger: one JSON object per line. */
export interface Logger {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/**
 * Creates a logger.
 *
 * @param now Milliseconds since the epoch.
 * @param write Called with each line; writes to standard output in production.
 */
export function createLogger(now: () => number, write: (line: string) => void): Logger {
  const log =
    (level: string) =>
    (message: string, fields: LogFields = {}) =>
      write(
        `${JSON.stringify({ time: new Date(now()).toISOString(), level, message, ...fields })}\n`,
      );
  return { info: log('info'), warn: log('warn'), error: log('error') };
}

/** Describes an error for the log: name, message and stack, with secrets redacted. */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: redact(String(error)) };
  return { error: redact(`${error.name}: ${error.message}`), stack: redact(error.stack ?? '') };
}

/** Redacts credentials of this platform, and credentials in URLs. */
export function redact(text: string): string {
  return text
    .replace(/\b(et_|ec_|vs_|sk-)[A-Za-z0-9_-]{8,}/g, '$1…')
    .replace(/(:\/\/)[^\s/@]+@/g, '$1…@');
}
