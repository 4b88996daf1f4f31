import { notFound } from '../problems/api-error.ts';
import type { Family } from './families.ts';

interface FamilyUpstream {
  readonly family: Family;
  /** Base URL of the upstream, without a trailing slash. */
  readonly base: string;
}

/**
 * Converts the URL of a request to this server to a URL of the upstream: the base URL of the upstream
 * replaces the prefix. Only one version remains, the one that the client requests, and only if the
 * base URL has one: `/chat-model/v1/models` becomes `https://a.example/v1/models` for the base URL
 * `https://a.example/v1`, and `https://a.example/api/models` for `https://a.example/api`.
 *
 * @param url URL of the request. It is parsed, so that its path has no `..`.
 * @throws ApiError `NOT_FOUND` for a path outside the versions of the family.
 */
export function upstreamAddress(
  { family, base }: FamilyUpstream,
  { pathname, search }: URL,
): string {
  const path = pathname.slice(family.prefix.length);
  const query = withoutKeys(search, family.keyParameters ?? []);
  const root = rootOf(family, base);
  for (const version of versionsOf(family)) {
    if (path.startsWith(`${version}/`)) {
      return (root === null ? base + path.slice(version.length) : root + path) + query;
    }
    const isUpload = family.hasUploads && path.startsWith(`/upload${version}/`);
    if (isUpload && root !== null) return root + path + query;
  }
  throw notFound(`Paths of this prefix start with \`${family.prefix}${family.version}/\`.`);
}

/**
 * Converts a URL of the upstream to a URL of this server, because the client will send its key for the
 * platform to the URL, and the upstream must not get this key.
 *
 * @param baseUrl Public URL of this server.
 * @returns Null for a URL of another host: the client must not send its key there. Paths without a host
 *   are returned unchanged.
 */
export function platformAddress(
  { family, base }: FamilyUpstream,
  address: string,
  baseUrl: string,
): string | null {
  const root = rootOf(family, base);
  const start = root ?? base;
  if (!address.startsWith(`${start}/`)) {
    // `//host` and `\\host` also name a host.
    return new URL(address, baseUrl).origin === new URL(baseUrl).origin ? address : null;
  }
  const version = root === null ? family.version : '';
  return `${baseUrl}${family.prefix}${version}${address.slice(start.length)}`;
}

/** Returns the part of the base URL before its version; null if it does not end with a version. */
function rootOf(family: Family, base: string): string | null {
  const version = versionsOf(family).find((candidate) => base.endsWith(candidate));
  return version === undefined ? null : base.slice(0, base.length - version.length);
}

function versionsOf({ version, otherVersions = [] }: Family): readonly string[] {
  return [version, ...otherVersions];
}

/** Removes the parameters with these names from a query, and does not re-encode the others. */
function withoutKeys(search: string, names: readonly string[]): string {
  if (search === '' || names.length === 0) return search;
  const kept = search
    .slice(1)
    .split('&')
    .filter((pair) => ![...new URLSearchParams(pair).keys()].some((name) => names.includes(name)));
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}
