/** `docs/faults.md` and the tests, kept in step: each case has a test that bears its id. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** The parts whose cases the page lists. Ids of other parts may stand in tests all the same. */
const parts = /^[TAES]/;

/** Locations of the tests for each level. */
const homes: Record<string, RegExp> = {
  U: /^packages\/\w+\/src\//,
  P: /^(?:e2e\/(?:faults|fault-proxy|soak)|packages\/(?:client|server)\/src)\//,
  M: /^(?:e2e\/(?:faults|soak)\/|packages\/server\/src\/[\w-]+\.test)/,
  B: /^(?:e2e\/stories|packages\/(?:elements|hosted|react|loader)\/src)\//,
};

/** A test's name that begins with ids: `T05: …`, `S01, S03: …`. */
const names = /['"`]((?:[A-Z]\d\d, )*[A-Z]\d\d): /g;

const testFiles = ['packages', 'e2e', 'demo']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).map((entry) =>
      relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'),
    ),
  )
  .filter((file) => /\.(?:test|spec)\.tsx?$/.test(file) && !/node_modules|\/dist\//.test(file));

/** Ids, with the files that hold a test of that name. */
const proofs = new Map<string, Set<string>>();
for (const file of testFiles) {
  for (const [, ids = ''] of readFileSync(join(root, file), 'utf8').matchAll(names)) {
    for (const id of ids.split(', ')) proofs.set(id, (proofs.get(id) ?? new Set()).add(file));
  }
}

const cases = readFileSync(join(root, 'docs/faults.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| [A-Z]\d\d \|/.test(line))
  .map((line) => {
    const [, id = '', , , level = '', where = ''] = line.split('|').map((cell) => cell.trim());
    return { id, level, files: [...where.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '') };
  });

describe('the cases of docs/faults.md', () => {
  it('are each told once', () => {
    const ids = cases.map(({ id }) => id);

    expect(ids.length).toBeGreaterThan(70);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('are each proven where the page says, at their level', () => {
    const unproven = cases.flatMap(({ id, level, files }) => {
      const missing = files
        .filter((file) => !proofs.get(id)?.has(file))
        .map((file) => `${id}: ${file} has no test of this name`);
      const fits = files.some((file) => homes[level]?.test(file));
      return fits ? missing : [...missing, `${id}: names no test at level ${level}`];
    });

    expect(unproven).toEqual([]);
  });

  it('are all that tests speak of', () => {
    const known = new Set(cases.map(({ id }) => id));
    const unknown = [...proofs.keys()].filter((id) => parts.test(id) && !known.has(id));

    expect(unknown).toEqual([]);
  });
});
