/** The English words of the elements are loaded part by part: every code brings those that it says. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { english } from './elements/src/lib/i18n/strings.ts';

const lib = resolve(dirname(fileURLToPath(import.meta.url)), 'elements/src/lib');
const table = join(lib, 'i18n');
const keys = Object.keys(english);

const files = readdirSync(lib, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|^testing\//.test(name))
  .map((name) => join(lib, name));

const sourceOf = (file: string) => readFileSync(file, 'utf8');

function targetsOf(file: string, pattern: RegExp): string[] {
  return [...sourceOf(file).matchAll(pattern)]
    .map(([, specifier = '']) => resolve(dirname(file), specifier))
    .filter((target) => files.includes(target));
}

/** A file, and all that is loaded with it. */
function loadedWith(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known;
  known.add(file);
  const imported = /^(?:import|export) (?!type\b)[^;]*?from '([^']+)';/gm;
  for (const target of targetsOf(file, imported)) loadedWith(target, known);
  return known;
}

/** Keys that a file says: read from a table by name, or named where a table is read later. */
function keysSaidIn(file: string): string[] {
  const source = sourceOf(file);
  const read = [...source.matchAll(/(?:strings|words)(?:\(\))?\.(\w+)/g)].map(([, key]) => key);
  const named = [...source.matchAll(/'([a-z]+[A-Z]\w+)'/g)].map(([, key]) => key);
  return keys.filter((key) => read.includes(key) || named.includes(key));
}

function keysIn(part: string): string[] {
  return [...sourceOf(part).matchAll(/^ {2}(\w+):/gm)].map(([, key = '']) => key);
}

const first = join(lib, 'first-tags.ts');
const late = files.flatMap((file) => targetsOf(file, /import\('([^']+)'\)/g));

describe('the words', () => {
  it.each(
    [first, ...new Set(late)]
      .filter((file) => !file.startsWith(table))
      .map((file) => [relative(lib, file), file]),
  )('of what is loaded with %s come along', (_, entry) => {
    const loaded = new Set([...loadedWith(first), ...loadedWith(entry)]);
    const brought = [...loaded].filter((file) => file.startsWith(table)).flatMap(keysIn);

    const missing = [...loaded]
      .filter((file) => !file.startsWith(table))
      .flatMap((file) =>
        keysSaidIn(file)
          .filter((key) => !brought.includes(key))
          .map((key) => `${relative(lib, file)} says ${key}`),
      );

    expect(missing).toEqual([]);
  });

  it('are each in one part', () => {
    const parts = readdirSync(join(table, 'english')).map((name) => join(table, 'english', name));

    expect(parts.flatMap(keysIn).sort()).toEqual([...keys].sort());
  });
});
