/**
 * `npm run docs` serves the site to authors, and `npm run docs build` builds the site into
 * `docs/dist/site`, and fails if a link is broken. `npm run docs screenshots` also takes the screenshots of
 * `docs/`, and `npm run docs films` makes its films. All generate the reference pages first.
 */
import { execSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, createServer } from 'vitepress';
import { withSiteLinks } from '../.vitepress/links.mjs';
import { brokenLinks } from './broken-links.mjs';
import { writeReference } from './reference.mjs';
import { registryItems } from './registry.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));

await writeReference();
const [, , command] = process.argv;
if (command === 'build' || command === 'screenshots') {
  await build(folder);
  for (const file of readdirSync(`${folder}dist/site`, { recursive: true })) {
    if (!/\.(?:md|txt)$/.test(file)) continue;
    const path = `${folder}dist/site/${file}`;
    writeFileSync(path, withSiteLinks(readFileSync(path, 'utf8')));
  }
  mkdirSync(`${folder}dist/site/r`, { recursive: true });
  for (const item of registryItems) {
    writeFileSync(`${folder}dist/site/r/${item.name}.json`, JSON.stringify(item));
  }
  const broken = brokenLinks(`${folder}dist/site`, process.env.DOCS_BASE ?? '/');
  for (const line of broken) console.error(line);
  if (broken.length > 0) process.exitCode = 1;
  if (command === 'screenshots') {
    execSync('npm run build:web --silent && npm run build --silent -w demo', { stdio: 'inherit' });
    await import('./screenshots.mjs');
  }
} else if (command === 'films') {
  execSync('npm run build:web --silent && npm run build --silent -w demo', { stdio: 'inherit' });
  await import('./films.mjs');
} else {
  // Not Vite's default port, at which the quick starts have their applications.
  const server = await createServer(folder, { port: Number(process.env.PORT ?? 5180) });
  await server.listen();
  server.printUrls();
}
