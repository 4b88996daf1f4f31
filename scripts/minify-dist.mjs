/** Part of the `prepack` script of the elements: minifies the style sheets of the compiled modules. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minifyStylesIn } from './build/minify-templates.mjs';

for (const name of readdirSync('dist', { recursive: true })) {
  if (!name.endsWith('.js')) continue;
  const file = join('dist', name);
  const code = readFileSync(file, 'utf8');
  if (/\bcss *`/.test(code)) writeFileSync(file, minifyStylesIn(code));
}
