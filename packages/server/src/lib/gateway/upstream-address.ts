import { notFound } from '../problems/api-error.ts';
import type { Family } from './families.ts';

/** A family with an upstream at `base`, an address without a trailing slash. */
interface Route {
  readonly family: Family;
  readonly base: string;
}

/**
 * Returns the address of a request at the upstream: the prefix is replaced by the upstream's base
 * URL. If the base URL ends with a version, the version of the request replaces it; otherwise the
 * version of the request is removed.
 *
 * @param url Address of the request, normalized by `URL`, so that its path has no `..`.
 * @throws ApiError `NOT_FOUND` for a path outside the versions of the family.
 */
export function upstreamAddress({ family, base }: Route, { pathname, search }: URL): string {
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
 * Rewrites an address of the upstream to one of this server, because the client requests it with
 * its key for the platform, which the upstream must not get. Returns other addresses unchanged.
 *
 * @param baseUrl Public URL of this server.
 */
export function ownAddress({ family, base }: Route, address: string, baseUrl: string): string {
  const root = rootOf(family, base);
  const start = root ?? base;
  if (!address.startsWith(`${start}/`)) return address;
  const version = root === null ? family.version : '';
  return `${baseUrl}${family.prefix}${version}${address.slice(start.length)}`;
}

/** Returns the part of the base URL before its version; null if it does not end with one. */
function rootOf(family: Family, base: string): string | null {
  const version = versionsOf(family).find((candidate) => base.endsWith(candidate));
  return version === undefined ? null : base.slice(0, base.length - version.length);
}

function versionsOf({ version, otherVersions = [] }: Family): readonly string[] {
  return [version, ...otherVersions];
}

/** Removes parameters from a query, and leaves the others as they were written. */
function withoutKeys(search: string, names: readonly string[]): string {
  if (search === '' || names.length === 0) return search;
  const kept = search
    .slice(1)
    .split('&')
    .filter((pair) => ![...new URLSearchParams(pair).keys()].some((name) => names.includes(name)));
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}
