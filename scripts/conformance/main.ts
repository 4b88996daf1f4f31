/** `npm run conformance`: writes the page of the rules of the service reference. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPage, pagePath, readRules, root } from './page.ts';

const rules = readRules();
writeFileSync(join(root, pagePath), createPage(rules));
console.log(`Wrote ${rules.length} rules to ${pagePath}.`);
