import { describe, expect, it } from 'vitest';
import { isAllowedType } from './attachment-policy.ts';

describe('isAllowedType', () => {
  it.each([
    ['anything where there is no list', [], 'application/x-strange', '', true],
    ['what is listed', ['application/pdf'], 'application/pdf', '', true],
    ['a kind', ['image/*'], 'image/png', '', true],
    ['what is not listed', ['image/*'], 'application/pdf', 'image/png', false],
    ['a table, which is plain text', ['text/csv'], 'text/plain', 'text/csv', true],
    [
      'JSON, with what it says besides',
      ['application/json'],
      'text/plain',
      'Application/JSON; charset=utf-8',
      true,
    ],
    ['text that is claimed to be a picture', ['image/*'], 'text/plain', 'image/svg+xml', false],
    [
      'a letter, which is a zip',
      ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
      'application/zip',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      true,
    ],
    [
      'a zip that is claimed to be a document',
      ['application/pdf'],
      'application/zip',
      'application/pdf',
      false,
    ],
    [
      'sound, of which nothing is known',
      ['audio/*'],
      'application/octet-stream',
      'audio/mpeg',
      true,
    ],
    [
      'bytes that are claimed to be a picture',
      ['image/*'],
      'application/octet-stream',
      'image/png',
      false,
    ],
    ['a type that only begins alike', ['image/*'], 'imagery/x', '', false],
  ])('judges %s', (_, allowed, found, claimed, expected) => {
    expect(isAllowedType(allowed, { found, claimed })).toBe(expected);
  });
});
