/** Every example in `docs/testing.md` is run, and it explains every option. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { membersOf, methodsOf } from '../scripts/testing/declarations.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const testing = join(root, 'packages/client/src/lib/testing');
const read = (file: string) => readFileSync(file, 'utf8');

const guide = read(join(root, 'docs/testing.md'));
const examples = [
  ...readdirSync(join(testing, 'examples')).map((name) => join(testing, 'examples', name)),
  join(root, 'packages/elements/src/lib/testing/example.test.ts'),
].map(read);

describe('the guide to testing', () => {
  const blocks = [...guide.matchAll(/^```ts\n([\s\S]*?)\n```$/gm)].map((match) => match[1] ?? '');

  it('shows only code of examples that are run', () => {
    expect(blocks.length).toBeGreaterThan(10);
    expect(blocks.filter((block) => !examples.some((each) => each.includes(block)))).toEqual([]);
  });

  it('shows every example', () => {
    const names = examples.flatMap((each) => [...each.matchAll(/^\s*it\('([^']*)'/gm)]);
    expect(names.map((match) => match[1]).filter((name) => !guide.includes(`'${name}'`))).toEqual(
      [],
    );
  });

  it.each([
    ['test-bed.ts', 'TestBedOptions'],
    ['platform/scripted-platform.ts', 'ScriptedPlatformOptions'],
    ['platform/tokens.ts', 'IssueOptions'],
    ['platform/sessions.ts', 'NewSession'],
    ['platform/script.ts', 'CallStep'],
    ['platform/script.ts', 'SayStep'],
    ['platform/script.ts', 'FailStep'],
  ])('explains every option in %s of %s', (file, name) => {
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
