import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';

/** Resolves the name of a host to all of its addresses. Tests replace it. */
export type LookupHost = (hostname: string) => Promise<LookupAddress[]>;

const systemLookup: LookupHost = (hostname) => lookup(hostname, { all: true, order: 'verbatim' });

/** The address is one to which this server must not connect, or there is none. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}

/**
 * Resolves the host of a URL once. Connect to the returned addresses, because the next answer of the DNS
 * may be another one.
 *
 * @param allowedHosts Hosts that may have any address, and may be used without TLS.
 * @throws AddressError If the URL does not use HTTPS, or one of the addresses is not public. Its
 *   message completes “The URL …”.
 */
export async function resolvePublicHost(
  { protocol, hostname }: URL,
  allowedHosts: readonly string[],
  lookupHost: LookupHost = systemLookup,
): Promise<readonly LookupAddress[]> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const isAllowed = allowedHosts.some((allowed) => allowed.toLowerCase() === host);
  if (protocol !== 'https:' && !(protocol === 'http:' && isAllowed)) {
    throw new AddressError('must start with `https://`');
  }
  const addresses = await lookupHost(host).catch(() => []);
  if (addresses.length === 0) throw new AddressError('must have a host that can be resolved');
  if (isAllowed) return addresses;
  const { default: ipaddr } = await import('ipaddr.js');
  // Also converts IPv4-mapped IPv6 addresses.
  const isPublic = ({ address }: LookupAddress) => ipaddr.process(address).range() === 'unicast';
  if (addresses.every(isPublic)) return addresses;
  throw new AddressError(
    'must have a host with public addresses; `webhooks.allowed_private_hosts` of the configuration can allow others',
  );
}
