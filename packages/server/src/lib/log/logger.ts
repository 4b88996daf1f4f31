/** What a line may hold. Never a secret: no header, no body, no query of a request is logged. */
export type LogFields = Record<string, string | number | boolean | null | undefined>;

/** Structured log: one JSON object a line. */
export interface Logger {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** Writes JSON lines to where `write` leads, standard output in production. */
export function createLogger(now: () => number, write: (line: string) => void): Logger {
  const log =
    (level: string) =>
    (message: string, fields: LogFields = {}) =>
      write(
        `${JSON.stringify({ time: new Date(now()).toISOString(), level, message, ...fields })}\n`,
      );
  return { info: log('info'), warn: log('warn'), error: log('error') };
}

/** What an error may say in the log: its name, message and stack, with secrets blotted out. */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: redact(String(error)) };
  return { error: redact(`${error.name}: ${error.message}`), stack: redact(error.stack ?? '') };
}

/** Blots out what looks like a credential of this platform, or stands in an address as one. */
export function redact(text: string): string {
  return text
    .replace(/\b(et_|ec_|vs_|sk-)[A-Za-z0-9_-]{8,}/g, '$1…')
    .replace(/(:\/\/)[^\s/@]+@/g, '$1…@');
}
