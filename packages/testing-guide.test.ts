/**
 * Checks that every code block of `docs/testing.md` is part of an example test, and that the guide
 * explains every option.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { membersOf, methodsOf } from '../scripts/testing/declarations.ts';
import { parseModule, testTitlesIn } from '../scripts/testing/syntax.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const testing = join(root, 'packages/client/src/lib/testing');
const read = (file: string) => readFileSync(file, 'utf8');

const guide = read(join(root, 'docs/testing.md'));
const examples = [
  ...readdirSync(join(testing, 'examples')).map((name) => join(testing, 'examples', name)),
  join(root, 'packages/elements/src/lib/testing/example.test.ts'),
];
const exampleTexts = examples.map(read);

describe('the guide to testing', () => {
  const blocks = [...guide.matchAll(/^```ts\n([\s\S]*?)\n```$/gm)].map((match) => match[1] ?? '');

  it('contains only code of example tests', () => {
    expect(blocks.length).toBeGreaterThan(10);
    expect(blocks.filter((block) => !exampleTexts.some((text) => text.includes(block)))).toEqual(
      [],
    );
  });

  it('contains every example test', () => {
    const titles = examples.flatMap((file) => testTitlesIn(parseModule(file)));
    expect(titles.length).toBeGreaterThan(10);
    expect(titles.filter((title) => !guide.includes(`'${title}'`))).toEqual([]);
  });

  it.each([
    ['TestBedOptions', 'test-bed.ts'],
    ['ScriptedPlatformOptions', 'platform/scripted-platform.ts'],
    ['IssueOptions', 'platform/tokens.ts'],
    ['NewSession', 'platform/sessions.ts'],
    ['CallStep', 'platform/script.ts'],
    ['SayStep', 'platform/script.ts'],
    ['FailStep', 'platform/script.ts'],
  ])('explains every option of %s (%s)', (name, file) => {
    const options = membersOf(join(testing, file), name);
    expect(options.length).toBeGreaterThan(0);
    expect(options.filter((option) => !guide.includes(`\`${option}\``))).toEqual([]);
  });

  it('explains every fault', () => {
    const faults = methodsOf(join(testing, 'faults.ts'), 'Faults');
    expect(faults.length).toBeGreaterThan(8);
    expect(faults.filter((name) => !new RegExp(`\`${name}\\b`).test(guide))).toEqual([]);
  });
});
