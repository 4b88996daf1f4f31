import type { Context } from 'hono';
import type { AppEnv } from './env.ts';

/**
 * Where a request comes from, for counting. `X-Forwarded-For` is believed only as far as our own
 * proxies wrote it: everything before that is the client's invention.
 */
export function sourceOf(c: Context<AppEnv>, trustedProxies: number): string {
  const direct = c.env?.incoming?.socket.remoteAddress ?? 'unknown';
  if (trustedProxies === 0) return networkOf(direct);
  const hops = (c.req.header('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim());
  return networkOf(hops.at(-trustedProxies) || direct);
}

/** IPv6 hosts have a whole /64 to themselves, and change within it; so the /64 is what counts. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  if (!address.includes(':')) return address;
  const [head = '', end] = address.toLowerCase().split('%')[0]?.split('::') ?? [];
  const groups = head === '' ? [] : head.split(':');
  const last = end ? end.split(':') : [];
  const zeros = end === undefined ? 0 : Math.max(0, 8 - groups.length - last.length);
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...last];
  return `${all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
