import { randomUUID } from 'node:crypto';

/** Marks numbers in strings. Random, so that no text from outside contains it. */
const mark = `\u{e000}${randomUUID()}:`;
const markedNumber = new RegExp(`"${mark}(-?[\\d.eE+-]+)"`, 'g');

/** Strings, which are skipped, and numbers with at least 16 characters or an exponent. */
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses JSON, and keeps numbers that JavaScript can't represent, such as integers above 2^53, for
 * `stringifyExact`. In the returned value, they are opaque strings.
 *
 * @throws SyntaxError If the text is not JSON.
 */
export function parseExact(text: string): unknown {
  // Checks the syntax first, which the replacement relies on.
  const value: unknown = JSON.parse(text);
  if (!/\d{16}|\d[eE]/.test(text)) return value;
  return JSON.parse(
    text.replace(stringOrNumber, (token) =>
      token.startsWith('"') || isExact(token) ? token : `"${mark}${token}"`,
    ),
  );
}

/** Serializes a value of `parseExact`. */
export function stringifyExact(value: unknown): string {
  return JSON.stringify(value).replace(markedNumber, '$1');
}

/**
 * Returns a validated body as it was sent, with all digits of its numbers. It is serialized again for the upstream,
 * so that the upstream reads what was checked, and not a repeated member.
 */
export function exactBody<Body extends object>(sent: Uint8Array | undefined, body: Body): Body {
  return sent ? (parseExact(Buffer.from(sent).toString('utf8')) as Body) : body;
}

/** Whether a number is the same after it was parsed and serialized. */
function isExact(token: string): boolean {
  const value = Number(token);
  if (!Number.isFinite(value)) return false;
  return !/^-?\d+$/.test(token) || Number.isSafeInteger(value);
}
