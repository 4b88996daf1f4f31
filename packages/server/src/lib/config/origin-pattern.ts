import { parse } from 'tldts';

/**
 * An allowed origin in one of three forms: an exact origin, `https://*.example.com` for its
 * subdomains at any depth, and `http://localhost:*` (or a loopback address) for any port during
 * development. An exact origin can have the scheme of an app, such as `capacitor://localhost`, because
 * no page in a browser has such an origin.
 */
export type OriginPattern = string;

const subdomains = /^(https?):\/\/\*\.([a-z0-9-]+(?:\.[a-z0-9-]+)+)(:\d{1,5})?$/;
const anyPort = /^(https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\*$/;

const appOrigin = /^([a-z][a-z0-9+.-]*):\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;

/** Schemes that are not those of apps. Browsers send `null`, or no origin, for most of them. */
const browserSchemes = new Set(
  'http https ws wss ftp file filesystem blob data about javascript'.split(' '),
);

/** Explains what is wrong with a pattern and how to write it; null if it is valid. */
export function explainPattern(pattern: string): string | null {
  const match = subdomains.exec(pattern);
  if (match?.[2] && isPublicSuffix(match[2])) {
    return `must not cover ${match[2]}, where anyone can have a site: use your own subdomain of it`;
  }
  if (match || anyPort.test(pattern) || isAppOrigin(pattern)) return null;
  if (pattern === 'null' || pattern.startsWith('file:')) {
    return 'must not be `null` or a file: every sandboxed frame and file has that origin. Load the page from an address of its own, or open a hosted link';
  }
  if (pattern.includes('*')) {
    return 'may use * only as `https://*.example.com` or `http://localhost:*`';
  }
  const origin = serializedOrigin(pattern);
  if (origin === null) return 'must be an origin such as `https://app.example.com`';
  return origin === pattern ? null : `must be written as browsers send it: \`${origin}\``;
}

/** Longest origin that a pattern with `*` matches: a host has at most 253 characters (RFC 1035). */
const maximumLength = 'https://'.length + 253 + ':65535'.length;

/**
 * Returns every pattern that matches an `Origin` header. A set of patterns is thus searched in a time
 * that depends only on the header. Compares bytes: browsers send normalized origins.
 */
export function matchingPatterns(origin: string): OriginPattern[] {
  const patterns = [origin];
  if (origin.length > maximumLength || serializedOrigin(origin) !== origin) return patterns;
  patterns.push(`${origin.replace(/:\d+$/, '')}:*`);
  const hostStart = origin.indexOf('://') + 3;
  const [scheme, host] = [origin.slice(0, hostStart), origin.slice(hostStart)];
  for (let dot = host.indexOf('.'); dot > 0; dot = host.indexOf('.', dot + 1)) {
    patterns.push(`${scheme}*${host.slice(dot)}`);
  }
  return patterns;
}

/** Whether a pattern matches an `Origin` header. */
export function matchesOrigin(pattern: OriginPattern, origin: string): boolean {
  return matchesAny([pattern], origin);
}

/** Whether any of the patterns matches. An empty list matches no origin. */
export function matchesAny(patterns: readonly OriginPattern[], origin: string): boolean {
  const matching = matchingPatterns(origin);
  return patterns.some((pattern) => matching.includes(pattern));
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

/** Whether a text is an origin with the scheme of an app. */
function isAppOrigin(text: string): boolean {
  const scheme = appOrigin.exec(text)?.[1];
  return scheme !== undefined && !browserSchemes.has(scheme);
}

function serializedOrigin(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { origin, protocol } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? origin : null;
}
