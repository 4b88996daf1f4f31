import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatStreamId, parseStreamId } from './stream-id.ts';

describe('stream ids', () => {
  it('are parsed to the position that they were formatted from', () => {
    const position = fc.record({ seq: fc.nat(), fragment: fc.nat() });

    fc.assert(
      fc.property(position, (value) => {
        expect(parseStreamId(formatStreamId(value))).toEqual(value);
      }),
    );
  });

  it('consist of the `seq` alone for a logged event', () => {
    expect(formatStreamId({ seq: 12, fragment: 0 })).toBe('12');
    expect(parseStreamId('12')).toEqual({ seq: 12, fragment: 0 });
  });

  it.each(['', '-1', '1.', '.1', '1.2.3', ' 1', '1e3', '9'.repeat(40), '\u0000', '１'])(
    'are not parsed from %j, which has another format',
    (id) => {
      expect(parseStreamId(id)).toBeNull();
    },
  );
});
