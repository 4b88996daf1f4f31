import { describe, expect, it } from 'vitest';
import { isAllowedType } from './attachment-policy.ts';

describe('isAllowedType', () => {
  it.each([
    ['accepts any type if the list is empty', [], 'application/x-strange', '', true],
    ['accepts a listed type', ['application/pdf'], 'application/pdf', '', true],
    ['accepts a type that matches a wildcard', ['image/*'], 'image/png', '', true],
    ['rejects an unlisted type', ['image/*'], 'application/pdf', 'image/png', false],
    [
      'accepts a CSV file that is detected as plain text',
      ['text/csv'],
      'text/plain',
      'text/csv',
      true,
    ],
    [
      'accepts a CSV file that Windows claims to be an Excel file',
      ['text/csv'],
      'text/plain',
      'application/vnd.ms-excel',
      true,
    ],
    [
      'accepts JSON whose claimed type has parameters',
      ['application/json'],
      'text/plain',
      'Application/JSON; charset=utf-8',
      true,
    ],
    [
      'rejects text that is claimed to be an image',
      ['image/*'],
      'text/plain',
      'image/svg+xml',
      false,
    ],
    [
      'accepts a DOCX file that is detected as a ZIP file',
      ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
      'application/zip',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      true,
    ],
    [
      'rejects a ZIP file that is claimed to be a PDF file',
      ['application/pdf'],
      'application/zip',
      'application/pdf',
      false,
    ],
    [
      'accepts audio that is detected as an unknown format',
      ['audio/*'],
      'application/octet-stream',
      'audio/mpeg',
      true,
    ],
    [
      'rejects an unknown format that is claimed to be an image',
      ['image/*'],
      'application/octet-stream',
      'image/png',
      false,
    ],
    [
      'rejects a type that only starts with the letters of a wildcard',
      ['image/*'],
      'imagery/x',
      '',
      false,
    ],
  ])('%s', (_, allowed, detected, claimed, expected) => {
    expect(isAllowedType(allowed, { detected, claimed })).toBe(expected);
  });
});
