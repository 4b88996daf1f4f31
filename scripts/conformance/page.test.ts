/** Checks that the page of the rules is up to date, and its rules have a place. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPage, pagePath, readRules, root, sectionOf } from './page.ts';

const rules = readRules();

describe(pagePath, () => {
  it('is what `npm run conformance` writes', () => {
    expect(readFileSync(join(root, pagePath), 'utf8')).toBe(createPage(rules));
  });

  it('has no rule outside of the sections, and none twice', () => {
    expect(rules.filter((rule) => !sectionOf(rule))).toEqual([]);
    const titles = rules.map(({ number, text }) => `${number} ${text}`);
    expect(titles.filter((title, index) => titles.indexOf(title) < index)).toEqual([]);
  });

  it('links to test files that exist', () => {
    const files = rules.flatMap((rule) => rule.files);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});
