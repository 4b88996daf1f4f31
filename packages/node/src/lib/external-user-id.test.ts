import { ExternalUserId } from '@inlay/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { toExternalUserId } from './external-user-id.ts';

const isValid = (id: string) => z.safeParse(ExternalUserId, id).success;

/** Reverses the escapes of an id that was not shortened. */
const decode = (id: string) =>
  id.replace(/:(?:x([0-9A-F]{2})|u([0-9A-F]{4}))/g, (_, short, long) =>
    String.fromCharCode(Number.parseInt(short ?? long, 16)),
  );

/** Parts of ids that an encoder could encode ambiguously, such as colons, escapes and digests. */
const idPart = fc.oneof(
  fc.constantFrom(':', 'x', 'u', 'h', '7C', '0', 'A', '.', '|', '/', ' ', 'é', '張', '\ud800'),
  fc.constantFrom(':x7C', ':u5F35', `:h${'a'.repeat(43)}`, 'a'.repeat(60)),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const anyId = fc.array(idPart, { minLength: 1, maxLength: 24 }).map((parts) => parts.join(''));

describe('toExternalUserId', () => {
  it.each([
    ['auth0|507f1f77bcf86cd799439011', 'auth0:x7C507f1f77bcf86cd799439011'],
    ['ada+test@example.com', 'ada:x2Btest@example.com'],
    ['/users/42', ':x2Fusers:x2F42'],
    ['張', ':u5F35'],
    ['.', ':x2E'],
    ['..', ':x2E:x2E'],
    ['a:x7Cb', 'a:x3Ax7Cb'],
  ])('encodes %s as %s', (id, expected) => {
    expect(toExternalUserId(id)).toBe(expected);
  });

  it.each([
    '0190b2d4-6f4e-7c3b-9f58-2a1b3c4d5e6f',
    'ada.lovelace_1@example.com',
    'user:42',
    'urn:uuid:6e8bc430',
    'tenant:x:user',
    '...',
  ])('returns %s unchanged', (id) => {
    expect(toExternalUserId(id)).toBe(id);
  });

  it('always returns an id that the platform accepts', () => {
    fc.assert(
      fc.property(
        anyId.filter((id) => id !== ''),
        (id) => isValid(toExternalUserId(id)),
      ),
      { numRuns: 2000 },
    );
  });

  it('returns ids that can be decoded, unless they were shortened', () => {
    fc.assert(
      fc.property(
        anyId.filter((id) => id !== ''),
        (id) => {
          const encoded = toExternalUserId(id);
          expect(/:h[A-Za-z0-9_-]{43}$/.test(encoded) || decode(encoded) === id).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('shortens long ids with the same beginning to different ids, and encodes a shortened id as another id', () => {
    const ids = ['1', '2'].map((end) => `${'/'.repeat(200)}${end}`);
    const encoded = ids.map(toExternalUserId);
    const encodedTwice = encoded.map(toExternalUserId);

    expect(new Set([...encoded, ...encodedTwice]).size).toBe(4);
    expect(encoded.map((id) => id.length)).toEqual([128, 128]);
  });

  it.each([[''], [undefined], [null], [42]])('throws for the id %j', (id) => {
    expect(() => toExternalUserId(id as string)).toThrow(
      /toExternalUserId requires a non-empty string/,
    );
  });
});
