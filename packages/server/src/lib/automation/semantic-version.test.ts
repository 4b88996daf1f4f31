import { describe, expect, it } from 'vitest';
import { compareVersions } from './semantic-version.ts';

describe('compareVersions', () => {
  it('orders versions as section 11 of the SemVer specification defines', () => {
    const ordered = [
      '0.9.10',
      '1.0.0-1',
      '1.0.0-2',
      '1.0.0-10',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-alpha-x',
      '1.0.0-beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.0.1',
      '1.2.0',
      '1.10.0',
      '2.0.0',
      '9007199254740993.0.0',
      '9007199254740994.0.0',
    ];

    for (const [index, left] of ordered.entries()) {
      for (const [other, right] of ordered.entries()) {
        const order = Math.sign(compareVersions(left, right));
        expect([left, right, order]).toEqual([left, right, Math.sign(index - other)]);
      }
    }
  });

  it('ignores build metadata', () => {
    expect(compareVersions('1.0.0+a-b', '1.0.0+c')).toBe(0);
    expect(compareVersions('1.0.0-a+1', '1.0.0-a+2')).toBe(0);
  });
});
