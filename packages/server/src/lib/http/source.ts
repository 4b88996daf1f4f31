import { isIP } from 'node:net';
import type { Context } from 'hono';
import type { AppEnv } from './env.ts';

/**
 * Returns the source of a request, for limits per source: an IPv4 address, or an IPv6 network.
 */
export function sourceOf(c: Context<AppEnv>, trustedProxies: number): string {
  const direct = c.env?.incoming?.socket.remoteAddress ?? 'unknown';
  return networkOf(forwardedAddress(c.req.header('x-forwarded-for'), trustedProxies) ?? direct);
}

/**
 * Returns the address that the outermost trusted proxy appended to `X-Forwarded-For`. The header is
 * read from its end, because a client can send any hops before those of the proxies.
 *
 * @param trustedProxies Number of proxies in front of the server.
 * @returns Null if there is no valid address at this position.
 */
export function forwardedAddress(
  header: string | undefined,
  trustedProxies: number,
): string | null {
  if (header === undefined || trustedProxies === 0) return null;
  const hop = header.split(',').at(-trustedProxies)?.trim() ?? '';
  // Some proxies append the port. It differs for each connection, so it is removed.
  const [, inBrackets, withPort] = /^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(hop) ?? [];
  const address = inBrackets ?? withPort ?? hop;
  return isIP(address) === 0 ? null : address;
}

/**
 * Returns the /64 network of an IPv6 address, since a host can use all addresses of its network. An
 * IPv4 address is returned unchanged, also from its IPv4-mapped IPv6 form.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  const isIpv4Mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isIpv4Mapped) {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/**
 * Returns the networks of a source, from the smallest to the largest: /64, /56 and /48 for IPv6, the
 * address itself and its /24 for IPv4. Providers assign a /56 or a /48 to one customer.
 *
 * @param source The result of `sourceOf` or `networkOf`.
 */
export function networksOf(source: string): string[] {
  if (isIP(source) === 4) return [source, `${source.split('.').slice(0, 3).join('.')}.0/24`];
  const [, groups] = /^([\da-f:]+)::\/64$/.exec(source) ?? [];
  if (groups === undefined) return [source];
  const [first = '', second = '', third = '', fourth = ''] = groups.split(':');
  const site = `${first}:${second}:${third}`;
  const high = (Number.parseInt(fourth, 16) & 0xff00).toString(16);
  return [source, `${site}:${high}::/56`, `${site}::/48`];
}

/** Parses an IPv6 address in any notation into eight numbers. */
function groupsOf(address: string): number[] {
  const [withoutZone = ''] = address.split('%');
  // The URL parser normalizes addresses, and converts a dotted IPv4 part to hexadecimal.
  const { hostname } = new URL(`http://[${withoutZone}]`);
  const [head = '', end] = hostname.slice(1, -1).split('::');
  const numbers = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  if (end === undefined) return numbers(head);
  const [first, last] = [numbers(head), numbers(end)];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}
