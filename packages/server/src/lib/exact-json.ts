import { randomUUID } from 'node:crypto';

/** Marks numbers in strings. Random, so that no text from outside contains it. */
const mark = `\u{e000}${randomUUID()}:`;
const markedNumber = new RegExp(`"${mark}(-?[\\d.eE+-]+)"`, 'g');

const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

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
  return JSON.parse(markNumbers(text));
}

/**
 * Marks the numbers outside of strings. Strings are found without a regular expression, whose stack
 * would overflow in a string of megabytes, such as an image.
 */
function markNumbers(text: string): string {
  const pieces: string[] = [];
  let position = 0;
  for (;;) {
    const start = text.indexOf('"', position);
    const outside = start === -1 ? text.slice(position) : text.slice(position, start);
    pieces.push(outside.replace(number, (token) => (isExact(token) ? token : `"${mark}${token}"`)));
    if (start === -1) return pieces.join('');
    position = endOfString(text, start);
    pieces.push(text.slice(start, position));
  }
}

/** Returns the index after a JSON string. */
function endOfString(text: string, start: number): number {
  let end = start;
  let backslashes: number;
  do {
    end = text.indexOf('"', end + 1);
    backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
  } while (backslashes % 2 === 1);
  return end + 1;
}

/** Serializes a value of `parseExact`. */
export function stringifyExact(value: unknown): string {
  return JSON.stringify(value).replace(markedNumber, '$1');
}

/**
 * Returns a validated body as it was sent, with all digits of its numbers. It is serialized again for
 * the upstream, so that the upstream reads what was checked, and not a repeated member.
 */
export function exactBody<Body>(sent: Uint8Array | undefined, body: Body): Body {
  return sent ? (parseExact(new TextDecoder().decode(sent)) as Body) : body;
}

/** Whether a number is the same after it was parsed and serialized. */
function isExact(token: string): boolean {
  const value = Number(token);
  if (!Number.isFinite(value)) return false;
  return !/^-?\d+$/.test(token) || Number.isSafeInteger(value);
}
