/**
 * The browser packages never turn text into HTML or code. This searches source text, because a search
 * also finds what a linter of syntax does not: sinks in templates, strings and comments.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const packages = fileURLToPath(new URL('.', import.meta.url));
const sinks =
  /\.(?:innerHTML|outerHTML|srcdoc)\s*=|insertAdjacentHTML\(|document\.write\(|unsafeHTML|dangerouslySetInnerHTML|\beval\(|new Function\(/;

it.each(['client', 'elements', 'loader', 'react', 'hosted'])('%s has no HTML sink', (name) => {
  const files = readdirSync(join(packages, name, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|(?:^|\/)testing\//.test(file))
    .map((file) => join(packages, name, 'src', file));

  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => sinks.test(readFileSync(file, 'utf8')))).toEqual([]);
});
