/**
 * Replaces U+0000 in a text with U+FFFD. PostgreSQL rejects it, and `libsql` returns only the text
 * before it. Returns other values unchanged.
 */
export function replaceNul<Value>(value: Value): Value | string {
  return typeof value === 'string' && value.includes('\0')
    ? value.replaceAll('\0', '\ufffd')
    : value;
}
