/**
 * Converts rows to CSV (RFC 4180), with the names of the columns in the first line. A text that a
 * spreadsheet would run as a formula begins with an apostrophe.
 */
export function toCsv(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): string {
  const lines = [columns, ...rows.map((row) => columns.map((name) => row[name]))];
  return lines.map((line) => `${line.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(value: unknown): string {
  const text = String(value ?? '');
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
