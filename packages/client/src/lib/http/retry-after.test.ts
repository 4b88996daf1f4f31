import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRetryAfter } from './retry-after.ts';

const now = Date.UTC(2026, 10, 22, 12);
const read = (value: string, date?: string, serverNow: number | null = null) =>
  readRetryAfter(
    new Headers({ 'retry-after': value, ...(date !== undefined && { date }) }),
    () => serverNow,
  );

describe('readRetryAfter', () => {
  it('T34: reads seconds, up to 2^31', () => {
    expect(read('0')).toBe(0);
    expect(read('86400')).toBe(86_400_000);
    expect(read('12345678')).toBe(12_345_678_000);
    expect(read('9'.repeat(400))).toBe(2 ** 31 * 1000);
  });

  it.each([
    'Sun, 22 Nov 2026 12:01:00 GMT',
    'Sunday, 22-Nov-26 12:01:00 GMT',
    'Sun Nov 22 12:01:00 2026',
  ])('reads the date “%s” relative to the `Date` of the response', (value) => {
    expect(read(value, 'Sun, 22 Nov 2026 12:00:00 GMT', now + 99_000)).toBe(60_000);
    expect(read(value, 'Sun, 22 Nov 2026 12:05:00 GMT')).toBe(0);
  });

  it('reads a date relative to the platform’s clock if the response has no `Date`', () => {
    expect(read('Sun, 22 Nov 2026 12:01:00 GMT', undefined, now)).toBe(60_000);
    expect(read('Sun, 22 Nov 2026 12:01:00 GMT')).toBeNull();
  });

  it('returns null for other formats, and never a wait outside 0 to 2^31 seconds', () => {
    for (const value of ['', '-5', '1.5', '1e9', 'soon', 'Sun, 22 Nov 2026', '2026-11-22']) {
      expect(read(value, 'Sun, 22 Nov 2026 12:00:00 GMT', now)).toBeNull();
    }
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0129 ,:-GMTSunNov') }), (value) => {
        const wait = read(value, undefined, now);
        expect(wait === null || (wait >= 0 && wait <= 2 ** 31 * 1000)).toBe(true);
      }),
    );
  });
});
