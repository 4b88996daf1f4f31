/** Checks that each case of `docs/faults.md` has a test whose title starts with its id. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseModule, testTitlesIn } from '../../scripts/testing/syntax.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Matches the ids that `docs/faults.md` must list. Tests may also use ids with other prefixes. */
const listedPrefixes = /^[TAES]/;

/** Paths of the test files at each level of `docs/faults.md`. */
const testPathsByLevel: Record<string, RegExp> = {
  U: /^packages\/\w+\/src\//,
  P: /^(?:e2e\/(?:faults|fault-proxy|soak)|packages\/(?:client|server)\/src)\//,
  M: /^(?:e2e\/(?:faults|soak)\/|packages\/server\/src\/[\w-]+\.slow\.test)/,
  B: /^(?:e2e\/stories|packages\/(?:elements|hosted|react|loader)\/src)\//,
};

/** The ids at the start of a test title: `T05: …`, `S01, S03: …`. */
const idsInTitle = /^((?:[A-Z]\d\d, )*[A-Z]\d\d): /;

const testFiles = ['packages', 'e2e', 'demo']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).map((entry) =>
      relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'),
    ),
  )
  .filter((file) => /\.(?:test|spec)\.tsx?$/.test(file) && !/node_modules|\/dist\//.test(file));

/** Test files by fault id. */
const testFilesById = new Map<string, Set<string>>();
for (const file of testFiles) {
  for (const title of testTitlesIn(parseModule(join(root, file)))) {
    for (const id of idsInTitle.exec(title)?.[1]?.split(', ') ?? [])
      testFilesById.set(id, (testFilesById.get(id) ?? new Set()).add(file));
  }
}

const cases = readFileSync(join(root, 'docs/faults.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, id, level] = /^- \*\*([A-Z]\d\d)\*\* \(([A-Z])\)/.exec(line) ?? [];
    return id && level ? [{ id, level }] : [];
  });

describe('the cases of docs/faults.md', () => {
  it('have unique ids', () => {
    const ids = cases.map(({ id }) => id);

    expect(ids.length).toBeGreaterThan(70);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('have a test at the listed level', () => {
    const untested = cases.filter(({ id, level }) =>
      [...(testFilesById.get(id) ?? [])].every((file) => !testPathsByLevel[level]?.test(file)),
    );

    expect(untested).toEqual([]);
  });

  it('include every id that a test title uses', () => {
    const known = new Set(cases.map(({ id }) => id));
    const unknown = [...testFilesById.keys()].filter(
      (id) => listedPrefixes.test(id) && !known.has(id),
    );

    expect(unknown).toEqual([]);
  });
});
