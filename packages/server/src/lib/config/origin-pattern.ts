import { parse } from 'tldts';

/**
 * An allowed origin in one of three forms: an exact origin, `https://*.example.com` for its
 * subdomains at any depth, and `http://localhost:*` (or a loopback address) for any port during
 * development.
 */
export type OriginPattern = string;

const subdomains = /^(https?):\/\/\*\.([a-z0-9-]+(?:\.[a-z0-9-]+)+)(:\d{1,5})?$/;
const anyPort = /^(https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\*$/;

/** Explains what is wrong with a pattern and how to write it; null if it is valid. */
export function explainPattern(pattern: string): string | null {
  const match = subdomains.exec(pattern);
  if (match?.[2] && isPublicSuffix(match[2])) {
    return `must not cover ${match[2]}, where anyone can have a site: use your own subdomain of it`;
  }
  if (match || anyPort.test(pattern)) return null;
  if (pattern.includes('*')) {
    return 'may use * only as `https://*.example.com` or `http://localhost:*`';
  }
  const origin = serializedOrigin(pattern);
  if (origin === null) return 'must be an origin such as `https://app.example.com`';
  return origin === pattern ? null : `must be written as browsers send it: \`${origin}\``;
}

/** Whether a pattern matches an `Origin` header. Compares bytes: browsers send normalized origins. */
export function matchesOrigin(pattern: OriginPattern, origin: string): boolean {
  if (pattern === origin) return true;
  if (!pattern.includes('*') || serializedOrigin(origin) !== origin) return false;
  const local = anyPort.exec(pattern);
  if (local) return origin === local[1] || /^:\d+$/.test(restAfter(origin, local[1] ?? ''));
  const match = subdomains.exec(pattern);
  if (!match) return false;
  const [, scheme, domain, port = ''] = match;
  const suffix = `.${domain}${port}`;
  const host = restAfter(origin, `${scheme}://`);
  return host.endsWith(suffix) && host.length > suffix.length && !host.startsWith('.');
}

/** Whether any of the patterns matches. An empty list matches no origin. */
export function matchesAny(patterns: readonly OriginPattern[], origin: string): boolean {
  return patterns.some((pattern) => matchesOrigin(pattern, origin));
}

/** Whether every origin that `inner` matches is also matched by `outer`. */
export function coversPattern(outer: OriginPattern, inner: OriginPattern): boolean {
  if (outer === inner) return true;
  if (!inner.includes('*')) return matchesOrigin(outer, inner);
  const match = subdomains.exec(inner);
  // `https://*.a.example.com` is a subset of `https://*.example.com`.
  return match !== null && subdomains.test(outer) && matchesOrigin(outer, inner.replace('*', 'x'));
}

/**
 * Whether a domain is on the Public Suffix List (publicsuffix.org), which includes platforms such
 * as `github.io`.
 */
function isPublicSuffix(domain: string): boolean {
  const { publicSuffix, isIcann, isPrivate } = parse(domain, { allowPrivateDomains: true });
  // Names that are not on the list, such as `corp.internal`, are not public suffixes.
  return publicSuffix === domain && (isIcann === true || isPrivate === true);
}

function serializedOrigin(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { origin, protocol } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? origin : null;
}

/** Returns the rest of `text` after `start`; an empty text if `text` does not start with `start`. */
function restAfter(text: string, start: string): string {
  return text.startsWith(start) ? text.slice(start.length) : '';
}
