import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

/**
 * Updates the table of all `strings` keys in `docs/languages.md`.
 *
 * @param {string} root - Root folder of the repository.
 * @returns The text of the guide.
 */
export function languagesGuide(root) {
  const guide = readFileSync(join(root, 'docs/languages.md'), 'utf8');
  const rows = Object.entries(englishOf(root))
    .map(([key, text]) => `| \`${key}\` | ${textOf(text)} |`)
    .sort();
  return guide.replace(/(## Every key\n[\s\S]*?\|---\|---\|\n)(?:\|.*\n)*/, (_, head) =>
    [head, ...rows.map((row) => `${row}\n`)].join(''),
  );
}

/** English texts of the elements by key. */
function englishOf(root) {
  const { outputFiles } = buildSync({
    entryPoints: [join(root, 'packages/elements/src/lib/i18n/strings.ts')],
    bundle: true,
    format: 'cjs',
    write: false,
  });
  const module = { exports: {} };
  new Function('module', outputFiles[0].text)(module);
  return module.exports.english;
}

/** Returns a text, or its plural forms separated by slashes. */
function textOf(text) {
  return typeof text === 'string' ? text : Object.values(text).join(' / ');
}
