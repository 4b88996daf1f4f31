import { describe, expect, it } from 'vitest';
import { isAllowedType } from './attachment-policy.ts';

describe('isAllowedType', () => {
  it.each([
    ['any type without a list', [], 'application/x-strange', '', true],
    ['a listed type', ['application/pdf'], 'application/pdf', '', true],
    ['a type that matches a wildcard', ['image/*'], 'image/png', '', true],
    ['an unlisted type', ['image/*'], 'application/pdf', 'image/png', false],
    ['a CSV file, detected as plain text', ['text/csv'], 'text/plain', 'text/csv', true],
    [
      'JSON, claimed with parameters',
      ['application/json'],
      'text/plain',
      'Application/JSON; charset=utf-8',
      true,
    ],
    ['text that is claimed to be an image', ['image/*'], 'text/plain', 'image/svg+xml', false],
    [
      'a DOCX file, detected as a ZIP file',
      ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
      'application/zip',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      true,
    ],
    [
      'a ZIP file that is claimed to be a PDF file',
      ['application/pdf'],
      'application/zip',
      'application/pdf',
      false,
    ],
    [
      'audio, detected as an unknown format',
      ['audio/*'],
      'application/octet-stream',
      'audio/mpeg',
      true,
    ],
    [
      'an unknown format that is claimed to be an image',
      ['image/*'],
      'application/octet-stream',
      'image/png',
      false,
    ],
    ['a type that only starts with the same letters', ['image/*'], 'imagery/x', '', false],
  ])('returns whether the file is allowed: %s', (_, allowed, detected, claimed, expected) => {
    expect(isAllowedType(allowed, { detected, claimed })).toBe(expected);
  });
});
