import { describe, expect, it } from 'vitest';
import { parseExact, stringifyExact } from './exact-json.ts';

describe('parseExact and stringifyExact', () => {
  it.each([
    '{"id":9007199254740993,"s":"9007199254740993","list":[-12345678901234567890,1.5,1e400]}',
    '{"escaped":"\\"12345678901234567890\\"","text":"\\\\"}',
    '0',
  ])('keep numbers and strings: %s', (json) => {
    expect(stringifyExact(parseExact(json))).toBe(json);
  });

  it.each([
    ['a string', `"${'aB3e/'.repeat(2_000_000)}"`],
    ['a string of escapes', `"${'\\"'.repeat(4_000_000)}"`],
    ['a number', '7'.repeat(8_000_000)],
  ])('keep %s of megabytes', (_, value) => {
    const json = `{"value":${value},"seed":9007199254740993}`;
    expect(stringifyExact(parseExact(json)) === json).toBe(true);
  });

  it('keep the last of repeated members', () => {
    expect(stringifyExact(parseExact('{"model":"a","model":"b"}'))).toBe('{"model":"b"}');
  });

  it('throw for a text that is not JSON', () => {
    expect(() => parseExact('{"seed":NaN}')).toThrow(SyntaxError);
  });
});
