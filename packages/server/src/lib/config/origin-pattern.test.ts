import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coversPattern, explainPattern, matchesAny, matchesOrigin } from './origin-pattern.ts';

describe('matchesOrigin', () => {
  it.each([
    ['https://good.com', 'https://good.com'],
    ['https://good.com:8443', 'https://good.com:8443'],
    ['https://*.good.com', 'https://app.good.com'],
    ['https://*.good.com', 'https://a.b.good.com'],
    ['https://*.good.com:8443', 'https://app.good.com:8443'],
    ['http://localhost:*', 'http://localhost:5173'],
    ['http://localhost:*', 'http://localhost'],
    ['http://127.0.0.1:*', 'http://127.0.0.1:81'],
    ['capacitor://localhost', 'capacitor://localhost'],
  ])('A06: returns true for the pattern %s and the origin %s', (pattern, origin) => {
    expect(matchesOrigin(pattern, origin)).toBe(true);
  });

  it.each([
    ['https://good.com', 'null'],
    ['capacitor://localhost', 'ionic://localhost'],
    ['capacitor://localhost', 'https://localhost'],
    ['https://good.com', ''],
    ['https://good.com', 'https://good.com.evil.com'],
    ['https://good.com', 'https://evilgood.com'],
    ['https://good.com', 'http://good.com'],
    ['https://good.com', 'https://good.com:8443'],
    ['https://good.com', 'https://GOOD.com'],
    ['https://good.com', 'HTTPS://good.com'],
    ['https://good.com', 'https://good.com.'],
    ['https://good.com', 'https://good.com/'],
    ['https://good.com', 'https://gооd.com'],
    ['https://good.com', 'https://user@good.com'],
    ['https://*.good.com', 'https://good.com'],
    ['https://*.good.com', 'https://.good.com'],
    ['https://*.good.com', 'https://evilgood.com'],
    ['https://*.good.com', 'http://app.good.com'],
    ['https://*.good.com', 'https://app.good.com:8443'],
    ['https://*.good.com', 'https://app.good.com.'],
    ['https://*.good.com', 'https://app.good.com.evil.com'],
    ['https://*.good.com', 'https://evil.com/.good.com'],
    ['https://*.good.com', 'https://evil.com#.good.com'],
    ['https://*.good.com', 'https://APP.good.com'],
    ['http://localhost:*', 'https://localhost:5173'],
    ['http://localhost:*', 'http://localhost.evil.com'],
    ['http://localhost:*', 'http://localhost:5173.evil.com'],
    ['http://localhost:*', 'http://localhost:'],
    ['http://localhost:*', 'http://localhost:99999'],
    ['http://localhost:*', 'http://127.0.0.1:5173'],
  ])('A06: returns false for the pattern %s and the origin %s', (pattern, origin) => {
    expect(matchesOrigin(pattern, origin)).toBe(false);
  });
});

describe('matchesAny', () => {
  it('A06: returns false for every origin if the list is empty', () => {
    for (const origin of ['https://good.com', 'http://localhost:3000', 'null', '']) {
      expect(matchesAny([], origin)).toBe(false);
    }
  });

  it('returns false for a text that is not an origin', () => {
    const patterns = ['https://*.example.com', 'http://localhost:*'];
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom('https://a', 'http://localhost', ''),
        fc.constantFrom('.example.com', ':80', ''),
        (middle, start, end) => {
          const text = start + middle + end;
          return !matchesAny(patterns, text) || new URL(text).origin === text;
        },
      ),
    );
  });
});

describe('explainPattern', () => {
  it.each([
    'https://a.example',
    'http://a.example:8080',
    'https://*.example.com',
    'https://*.ada.github.io',
    'https://*.corp.internal',
    'http://localhost:*',
    'capacitor://localhost',
    'ionic://localhost',
    'com.example.app://chat.example',
  ])('returns null for the valid pattern %s', (pattern) => {
    expect(explainPattern(pattern)).toBeNull();
  });

  it.each([
    ['*', 'may use *'],
    ['https://*', 'may use *'],
    ['https://*.com', 'may use *'],
    ['https://a.*.com', 'may use *'],
    ['https://a.example:*', 'may use *'],
    ['https://*.github.io', 'must not cover github.io, where anyone can have a site'],
    ['https://*.co.uk', 'must not cover co.uk'],
    ['https://*.vercel.app:8443', 'must not cover vercel.app'],
    ['a.example', 'must be an origin'],
    ['null', 'Load the page from an address of its own'],
    ['file://', 'Load the page from an address of its own'],
    ['file://localhost', 'Load the page from an address of its own'],
    ['blob://a.example', 'must be an origin'],
    ['capacitor://', 'must be an origin'],
    ['capacitor://localhost/', 'must be an origin'],
    ['capacitor://*', 'may use *'],
    ['ftp://a.example', 'must be an origin'],
    ['https://a.example/', '`https://a.example`'],
    ['https://A.example', '`https://a.example`'],
    ['https://a.example:443', '`https://a.example`'],
  ])('returns an explanation for the invalid pattern %s', (pattern, explanation) => {
    expect(explainPattern(pattern)).toContain(explanation);
  });
});

describe('coversPattern', () => {
  it.each([
    ['https://*.example.com', 'https://app.example.com', true],
    ['https://*.example.com', 'https://*.example.com', true],
    ['https://*.example.com', 'https://*.eu.example.com', true],
    ['https://*.eu.example.com', 'https://*.example.com', false],
    ['https://*.example.com', 'https://example.com', false],
    ['https://app.example.com', 'https://*.example.com', false],
    ['http://localhost:*', 'http://localhost:3000', true],
    ['http://localhost:3000', 'http://localhost:*', false],
  ])('for the outer pattern %s and the inner pattern %s returns %s', (outer, inner, expected) => {
    expect(coversPattern(outer, inner)).toBe(expected);
  });
});
