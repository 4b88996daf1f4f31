/** Checks that every code block of `docs/testing.md` is part of an example test. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
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
});
