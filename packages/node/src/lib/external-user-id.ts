import { createHash } from 'node:crypto';
import { limits } from '@inlay/protocol';

/**
 * The characters to escape: every UTF-16 unit that the platform refuses, and a colon that would read
 * as the start of an escape or of a digest.
 */
const escaped = /[^A-Za-z0-9_.:@-]|:(?=x[0-9A-F]{2}|u[0-9A-F]{4}|h[A-Za-z0-9_-]{43}$)/g;

/** Length of a SHA-256 digest in base64url, with its marker `:h`. */
const digestLength = 45;

/**
 * Converts any id to an `external_user_id`: an id of an identity provider (`auth0|5f7c`), an e-mail
 * address with a plus sign, a path, a name in any script. The platform accepts 1 to 128 of
 * `A-Z a-z 0-9 _ . : @ -`, and neither `.` nor `..` (service reference, section 4.1).
 *
 * Two different ids never give the same result, and the same id always gives the same one. An id
 * that the platform accepts stays as it is, unless it contains what looks like an escape. Any other
 * character becomes `:xHH` or, above U+00FF, `:uHHHH` for each UTF-16 unit, in upper-case hexadecimal:
 * `auth0|5f7c` becomes `auth0:x7C5f7c`. Where that makes more than 128 characters, the first 83 stay,
 * and `:h` with the SHA-256 digest of the whole in base64url follows.
 *
 * Use it wherever you name a user: in `identify`, and with the methods of `endUsers`.
 *
 * @returns 1 to 128 characters.
 * @throws TypeError if the id is empty or not a string, because all users without an id would be one.
 */
export function toExternalUserId(id: string): string {
  if (typeof id !== 'string' || id === '') {
    throw new TypeError(
      `toExternalUserId needs the person's id as a string that is not empty, and got ${id === '' ? 'an empty one' : typeof id}.`,
    );
  }
  // URL parsers drop these two from a path, whichever way they are written.
  if (id === '.' || id === '..') return id.replaceAll('.', ':x2E');
  const readable = id.replace(escaped, escapeUnit);
  if (readable.length <= limits.externalUserIdLength) return readable;
  const digest = createHash('sha256').update(readable).digest('base64url');
  return `${readable.slice(0, limits.externalUserIdLength - digestLength)}:h${digest}`;
}

function escapeUnit(unit: string): string {
  const code = unit.charCodeAt(0);
  const hex = code.toString(16).toUpperCase();
  return code <= 0xff ? `:x${hex.padStart(2, '0')}` : `:u${hex.padStart(4, '0')}`;
}
