import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forwardedAddress, networkOf } from './source.ts';

const address = fc.oneof(fc.ipV4(), fc.ipV6());
/** Values of `X-Forwarded-For` that a client may send, before the proxies append theirs. */
const clientHops = fc.oneof(
  fc.string(),
  address,
  fc.array(fc.oneof(address, fc.string()), { maxLength: 20 }).map((hops) => hops.join(', ')),
  fc.constantFrom(',,,', '127.0.0.1', 'unknown', '1.2.3.4:80', '[::1]:80', 'for=1.2.3.4'),
);

describe('forwardedAddress', () => {
  it('A09: returns the address that the outermost trusted proxy appended, whatever the client sent', () => {
    fc.assert(
      fc.property(
        fc.option(clientHops, { nil: undefined }),
        address,
        fc.array(address, { maxLength: 4 }),
        (spoofed, client, proxies) => {
          // Each proxy appends the address that it got the request from: the outermost one appends the
          // client's address, the others the address of the previous proxy.
          const trustedHops = [client, ...proxies];
          const header = [...(spoofed === undefined ? [] : [spoofed]), ...trustedHops].join(', ');

          expect(forwardedAddress(header, trustedHops.length)).toBe(client);
        },
      ),
    );
  });

  it('A09: ignores the header if no proxy is configured', () => {
    fc.assert(
      fc.property(clientHops, (header) => {
        expect(forwardedAddress(header, 0)).toBeNull();
      }),
    );
  });

  it('A09: returns an address or null, and never throws', () => {
    fc.assert(
      fc.property(clientHops, fc.integer({ min: 0, max: 10 }), (header, proxies) => {
        const found = forwardedAddress(header, proxies);

        if (found !== null) expect(networkOf(found)).toMatch(/^[\da-f.:]+(::\/64)?$/i);
      }),
    );
  });

  it.each([
    ['203.0.113.7:4711', '203.0.113.7'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['  203.0.113.7  ', '203.0.113.7'],
  ])('A09: removes port, brackets and spaces: %j', (hop, expected) => {
    expect(forwardedAddress(`8.8.8.8, ${hop}`, 1)).toBe(expected);
  });

  it.each([
    ['203.0.113.7', 2],
    ['', 1],
    ['203.0.113.7, ', 1],
    ['203.0.113.7, unknown', 1],
    ['203.0.113.7, 999.1.1.1', 1],
  ])('A09: returns null for %j with %d trusted proxies', (header, proxies) => {
    expect(forwardedAddress(header, proxies)).toBeNull();
  });
});

describe('networkOf', () => {
  it('A09: maps two IPv6 addresses to the same network only if they share a /64', () => {
    const groups = (count: number) =>
      fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: count, maxLength: count });
    const write = (parts: number[]) => parts.map((part) => part.toString(16)).join(':');
    fc.assert(
      fc.property(
        groups(4),
        groups(4),
        groups(4),
        groups(4),
        (network, firstHost, secondHost, other) => {
          fc.pre(network.some((part) => part !== 0) && network.join() !== other.join());
          fc.pre(other.some((part) => part !== 0));

          const first = networkOf(write([...network, ...firstHost]));

          expect(networkOf(write([...network, ...secondHost]))).toBe(first);
          expect(networkOf(write([...other, ...firstHost]))).not.toBe(first);
        },
      ),
    );
  });

  it.each([
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['2001:0DB8:0000:0001:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['192.0.2.1', '192.0.2.1'],
    ['unknown', 'unknown'],
  ])('A09: maps %s to %s', (written, expected) => {
    expect(networkOf(written)).toBe(expected);
  });
});
