import { createHash } from 'node:crypto';
import { limits } from '@inlay/protocol';

/**
 * Matches the characters to escape: every UTF-16 code unit that the platform rejects, and a colon that
 * looks like the start of an escape or a digest.
 */
const charactersToEscape = /[^A-Za-z0-9_.:@-]|:(?=x[0-9A-F]{2}|u[0-9A-F]{4}|h[A-Za-z0-9_-]{43}$)/g;

/** Length of a SHA-256 digest in base64url, with its marker `:h`. */
const digestLength = 45;

/**
 * Converts any id to an `external_user_id`, for example an id of an identity provider (`auth0|5f7c`),
 * an e-mail address with a plus sign, or a path. The platform accepts 1 to 128 of
 * `A-Z a-z 0-9 _ . : @ -`, except `.` and `..` (docs/conformance.md, 4.1).
 *
 * The function is deterministic and injective. An id that the platform accepts is returned unchanged,
 * unless it contains something that looks like an escape. Each UTF-16 code unit of any other character
 * becomes `:xHH` or, above U+00FF, `:uHHHH`, in upper-case hexadecimal: `auth0|5f7c` becomes
 * `auth0:x7C5f7c`. A result over 128 characters is shortened to its first 83 characters, followed by
 * `:h` and the base64url SHA-256 digest of the whole result.
 *
 * Use this function both in `identify` and for the methods of `endUsers`.
 *
 * @returns 1 to 128 characters.
 * @throws TypeError if the id is empty or not a string: all users without an id would otherwise share
 *   one `external_user_id`.
 */
export function toExternalUserId(id: string): string {
  if (typeof id !== 'string' || id === '') {
    throw new TypeError(
      `toExternalUserId requires a non-empty string as the user's id. Received: ${id === '' ? 'an empty string' : typeof id}.`,
    );
  }
  // URL parsers remove these two path segments, even if they are percent-encoded.
  if (id === '.' || id === '..') return id.replaceAll('.', ':x2E');
  const readable = id.replace(charactersToEscape, escapeUnit);
  if (readable.length <= limits.externalUserIdLength) return readable;
  const digest = createHash('sha256').update(readable).digest('base64url');
  return `${readable.slice(0, limits.externalUserIdLength - digestLength)}:h${digest}`;
}

function escapeUnit(unit: string): string {
  const code = unit.charCodeAt(0);
  const hex = code.toString(16).toUpperCase();
  return code <= 0xff ? `:x${hex.padStart(2, '0')}` : `:u${hex.padStart(4, '0')}`;
}
