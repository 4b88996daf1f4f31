import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Lists the pages of `docs/` that are not generated, as paths in the repository. */
export function guides(): string[] {
  return readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !/^(?:api|dist|node_modules)\//.test(file))
    .map((file) => `docs/${file}`)
    .sort();
}
