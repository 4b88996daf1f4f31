/** Checks that the page of the rules contains every rule. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pagePath, readRules, root, sectionOf } from './page.ts';
import { sections } from './sections.ts';

const rules = readRules();

describe(pagePath, () => {
  it('contains every section and every numbered rule', () => {
    const numbers = rules.flatMap((rule) => rule.numbers);
    const expected = sections.flatMap(({ number, numbered = 0 }) =>
      numbered === 0
        ? [number]
        : Array.from({ length: numbered }, (_, index) => `${number}.${index + 1}`),
    );
    const has = (number: string) =>
      numbers.some((candidate) => `${candidate}.`.startsWith(`${number}.`));

    expect(expected.filter((number) => !has(number))).toEqual([]);
  });

  it('contains each rule once, in a section', () => {
    expect(rules.flatMap(({ numbers }) => numbers).filter((number) => !sectionOf(number))).toEqual(
      [],
    );
    const titles = rules.map(({ numbers, text }) => `${numbers} ${text}`);
    expect(titles.filter((title, index) => titles.indexOf(title) < index)).toEqual([]);
  });

  it('links to test files that exist', () => {
    const files = rules.flatMap((rule) => rule.files);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});
