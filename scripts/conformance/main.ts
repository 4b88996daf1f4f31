/** Part of `npm run generate`: writes the page of the API's rules. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPage, pagePath, readRules, root } from './page.ts';

writeFileSync(join(root, pagePath), createPage(readRules()));
console.log(pagePath);
