/** Returns the last segment of a path without control and format characters, at most 200 characters. */
export function cleanName(filename: string): string {
  const name = filename.split(/[\\/]/).at(-1) ?? '';
  const clean = name.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').slice(0, 200);
  // Removes a high surrogate whose low surrogate was cut off.
  return clean.replace(/\p{Cs}$/u, '') || 'file';
}

/** Returns the value of a `Content-Disposition` header (RFC 6266). */
export function contentDisposition(type: 'inline' | 'attachment', filename: string): string {
  const name = encodeURIComponent(filename).replaceAll(/['()*]/g, escapeCharacter);
  return `${type}; filename*=UTF-8''${name}`;
}

/** Escapes a character that `encodeURIComponent` does not escape, but that RFC 8187 does not allow. */
function escapeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
