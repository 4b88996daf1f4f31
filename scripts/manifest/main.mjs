/** Part of `npm run generate`: writes the files that describe the elements, and prints their paths. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { interfaceFiles } from './files.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
for (const [path, text] of Object.entries(interfaceFiles(root))) {
  writeFileSync(`${root}/${path}`, text);
  console.log(path);
}
