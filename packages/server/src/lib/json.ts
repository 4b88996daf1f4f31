/**
 * Parses JSON. Returns undefined if the text is not JSON.
 *
 * @param parse `parseExact` keeps all digits of numbers.
 */
export function parseJson(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Returns a value from outside as a record of unknown members; empty if it is not an object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Whether a value is an object, but no array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a string; an empty one for any other value. */
export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
