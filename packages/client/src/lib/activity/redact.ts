/** Shortens an id: `ses_01JABCDEF` becomes `ses_01JA…`. */
function shortenId(id: string): string {
  const [, prefix = '', rest = ''] = /^([a-z]{1,8}_)?(.*)$/s.exec(id) ?? [];
  return rest.length > 4 ? `${prefix}${rest.slice(0, 4)}…` : id;
}

/** Returns the path of a URL without its query, and with shortened ids. */
export function shortenPath(url: string): string {
  const path = url.replace(/[?#].*/s, '').replace(/^.*?\/agent\/v1(?=\/)/, '');
  const segments = path.split('/');
  // Names of routes consist of lower-case letters; everything else is treated as an id.
  return segments.map((each) => (/^[a-z_]*$/.test(each) ? each : shortenId(each))).join('/');
}

/** Returns a problem code, and replaces any other text, because it could quote a secret. */
export function safeCode(code: unknown): string {
  return typeof code === 'string' && /^[A-Z][A-Z_]{0,63}$/.test(code) ? code : 'UNKNOWN';
}

/** Returns the type of an event, and replaces any other text. */
export function safeType(type: unknown): string {
  return typeof type === 'string' && /^[a-z]+(?:[._][a-z]+){0,5}$/.test(type) ? type : 'unknown';
}

/** Returns a request id; null for any other text. */
export function safeRequestId(id: string | null): string | null {
  return id !== null && /^[\w-]{1,64}$/.test(id) ? id : null;
}
