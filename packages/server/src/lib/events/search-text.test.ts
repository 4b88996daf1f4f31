import { describe, expect, it } from 'vitest';
import { cpuGrowth } from '../testing/cpu-growth.ts';
import { setupConversation } from '../testing/setup-conversation.ts';
import { foldText } from './search-text.ts';

const limit = 1_000_000;

/** Texts for which `normalize` takes quadratic time if it processes them as a whole. */
const hostile: [string, (size: number) => string][] = [
  ['mixed combining marks', (n) => `a${'\u0301'.repeat(n / 2)}${'\u0316'.repeat(n / 2)}`],
  ['alternating combining marks', (n) => `a${'\u0301\u0316'.repeat(n / 2)}`],
  ['half-width sound marks', (n) => `\u30ab${'\uff9e\u0316'.repeat(n / 2)}`],
  ['marks beyond the basic multilingual plane', (n) => `a${'\u{1d165}\u0316'.repeat(n / 3)}`],
  ['ligatures that expand', (n) => '\ufdfa'.repeat(n)],
  ['Hangul vowels', (n) => `\u1100${'\u1161\u0316'.repeat(n / 2)}`],
];

describe('foldText', () => {
  it.each(hostile)('takes linear time for %s', async (_, text) => {
    expect(await cpuGrowth((size) => foldText(text(size), limit), 8_192)).toBeLessThan(24);
  });

  it('takes linear time for a message, a title and a query of combining marks that are sent over HTTP', async () => {
    const { create, call } = await setupConversation({
      config: { limits: { request: { event_bytes: 1_000_000 } } },
    });
    const post = async (size: number) => {
      const text = `a${'\u0301'.repeat(size / 2)}${'\u0316'.repeat(size / 2)}`;
      await create(text);
      await call('POST', '/sessions', { title: text.slice(0, 200) });
      await call('GET', `/sessions?query=${encodeURIComponent(text.slice(0, 200))}`);
    };

    expect(await cpuGrowth(post, 8_192, 50)).toBeLessThan(24);
  });

  it.each([
    ['a letter and its marks', 'e\u0301\u0323 '],
    ['half-width katakana and its sound mark', '\uff76\uff9e'],
    ['Hangul Jamo', '\u1112\u1161\u11ab'],
    ['half-width Hangul', '\uffa1\uffc2\uffa4'],
    ['letters beyond the basic multilingual plane', '\u{1d400}\u{1f600}'],
    ['a word that ends in sigma', 'ΟΔΥΣΣΕΥΣ '],
  ])('folds %s between two slices as in an undivided text', (_, unit) => {
    for (let shift = 0; shift < 16; shift += 1) {
      const text = 'x'.repeat(shift) + unit.repeat(600);
      const expected = text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();

      expect(foldText(text, limit)).toBe(expected);
    }
  });

  it('returns at most `limit` characters', () => {
    expect(foldText('\ufdfa'.repeat(1_000), 100)).toHaveLength(100);
    expect(foldText('ß'.repeat(1_000), 100)).toBe('s'.repeat(100));
  });
});
