import { notFound } from '../problems/api-error.ts';
import type { Family } from './families.ts';

/** A family with an upstream at `base`, an address without a trailing slash. */
interface Route {
  readonly family: Pick<Family, 'prefix' | 'version' | 'keyParameters'>;
  readonly base: string;
}

/**
 * Returns the address of a request at the upstream: the prefix and the version are replaced by its
 * base URL. `/upload` before the version, where the generative-model family takes files, stays.
 *
 * @param url Address of the request, normalized by `URL`, so that its path has no `..`.
 * @throws ApiError `NOT_FOUND` for a path outside the version of the family.
 */
export function upstreamAddress({ family, base }: Route, { pathname, search }: URL): string {
  const { prefix, version } = family;
  const path = pathname.slice(prefix.length);
  const query = withoutKeys(search, family.keyParameters ?? []);
  if (path.startsWith(`${version}/`)) return base + path.slice(version.length) + query;
  if (version !== '' && path.startsWith(`/upload${version}/`) && base.endsWith(version)) {
    return base.slice(0, -version.length) + path + query;
  }
  throw notFound(`Paths of this prefix start with \`${prefix}${version}/\`.`);
}

/**
 * Returns an address of the upstream as one of this server, so that the client, which follows it
 * with the key of the platform, does not send that key to the upstream. Other addresses stay.
 *
 * @param baseUrl Public URL of this server.
 */
export function ownAddress({ family, base }: Route, address: string, baseUrl: string): string {
  const { prefix, version } = family;
  const hasVersion = version !== '' && base.endsWith(version);
  const root = hasVersion ? base.slice(0, -version.length) : base;
  if (!address.startsWith(`${root}/`)) return address;
  return `${baseUrl}${prefix}${hasVersion ? '' : version}${address.slice(root.length)}`;
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
