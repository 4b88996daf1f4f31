import { isIP } from 'node:net';
import type { Context } from 'hono';
import type { AppEnv } from './env.ts';

/** Where a request comes from, for counting. */
export function sourceOf(c: Context<AppEnv>, trustedProxies: number): string {
  const direct = c.env?.incoming?.socket.remoteAddress ?? 'unknown';
  return networkOf(forwardedAddress(c.req.header('x-forwarded-for'), trustedProxies) ?? direct);
}

/**
 * The address that the outermost of our own proxies noted. `X-Forwarded-For` is read from its end,
 * as many hops as there are proxies: everything before that is the client's invention. Null where
 * nothing there can be believed.
 */
export function forwardedAddress(
  header: string | undefined,
  trustedProxies: number,
): string | null {
  if (header === undefined || trustedProxies === 0) return null;
  const hop = header.split(',').at(-trustedProxies)?.trim() ?? '';
  // Some proxies note the port as well: it changes with every connection, and must not count.
  const [, inBrackets, withPort] = /^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(hop) ?? [];
  const address = inBrackets ?? withPort ?? hop;
  return isIP(address) === 0 ? null : address;
}

/** IPv6 hosts have a whole /64 to themselves, and change within it; so the /64 is what counts. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) {
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

/** The eight numbers of an IPv6 address, whichever of its many forms it is written in. */
function groupsOf(address: string): number[] {
  const [withoutZone = ''] = address.split('%');
  // The URL parser writes every address in one form, without IPv4 at its end.
  const { hostname } = new URL(`http://[${withoutZone}]`);
  const [head = '', end] = hostname.slice(1, -1).split('::');
  const numbers = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  if (end === undefined) return numbers(head);
  const [first, last] = [numbers(head), numbers(end)];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}
