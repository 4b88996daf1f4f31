import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { utf8Length } from './limits.ts';
import { IssueTokenRequest } from './tokens.ts';

const minimal = { agent: 'demo', external_user_id: 'ada' };
const accepts = (request: object) => z.safeParse(IssueTokenRequest, request).success;
const text = (value: string) => [{ type: 'text', text: value }];
const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));

describe('IssueTokenRequest (docs/conformance.md, 4.1)', () => {
  it('requires only an agent and an end user', () => {
    expect(accepts(minimal)).toBe(true);
    expect(accepts({ agent: 'demo' })).toBe(false);
    expect(accepts({ external_user_id: 'ada' })).toBe(false);
  });

  it.each([
    ['accepts every allowed character', 'AZaz09_.:@-', true],
    ['accepts 128 characters', 'a'.repeat(128), true],
    ['rejects 129 characters', 'a'.repeat(129), false],
    ['rejects an empty text', '', false],
    ['rejects a space', 'a b', false],
    ['rejects a slash', 'a/b', false],
    ['rejects a trailing line break', 'a\n', false],
    ['rejects a letter outside ASCII', 'å', false],
  ])('%s in external_user_id', (_name, external_user_id, expected) => {
    expect(accepts({ ...minimal, external_user_id })).toBe(expected);
  });

  it.each([60, 3600])('accepts ttl_seconds of %d', (ttl_seconds) => {
    expect(accepts({ ...minimal, ttl_seconds })).toBe(true);
  });

  it.each([59, 60.5, 3601])('rejects ttl_seconds of %d', (ttl_seconds) => {
    expect(accepts({ ...minimal, ttl_seconds })).toBe(false);
  });

  it('limits the UTF-8 bytes of the texts of system_message, not their characters or their JSON', () => {
    const letters = 'é'.repeat(4095);

    expect(accepts({ ...minimal, system_message: text(`${letters}\n\n`) })).toBe(true);
    expect(accepts({ ...minimal, system_message: text(`${letters}abc`) })).toBe(false);
  });

  it('limits the texts of all blocks of system_message together', () => {
    const blocks = (count: number) => Array.from({ length: count }, () => text('bbbb')).flat();

    expect(accepts({ ...minimal, system_message: blocks(2048) })).toBe(true);
    expect(accepts({ ...minimal, system_message: blocks(2049) })).toBe(false);
  });

  it.each([
    ['accepts 16 keys', keys(16), true],
    ['rejects 17 keys', keys(17), false],
    ['accepts a key of 64 characters', { ['k'.repeat(64)]: 'v' }, true],
    ['rejects a key of 65 characters', { ['k'.repeat(65)]: 'v' }, false],
    ['rejects an empty key', { '': 'v' }, false],
    ['accepts a value of 512 characters', { k: 'v'.repeat(512) }, true],
    ['rejects a value of 513 characters', { k: 'v'.repeat(513) }, false],
    ['rejects a value that is not a string', { k: 1 }, false],
  ])('%s in metadata', (_name, metadata, expected) => {
    expect(accepts({ ...minimal, metadata })).toBe(expected);
  });
});

describe('utf8Length', () => {
  it.each(['', 'a', 'é', '€', '😀', 'a\u0301', '\ud800', '\udfff a', '👩‍👩‍👧'])(
    'returns the same length as TextEncoder for %j',
    (value) => {
      expect(utf8Length(value)).toBe(new TextEncoder().encode(value).length);
    },
  );
});
