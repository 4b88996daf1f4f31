/**
 * `npm run docs` serves the site to authors, and `npm run docs:build` builds the site into
 * `docs/dist/site`, and fails if a link is broken. Both generate the reference pages first.
 */
import { fileURLToPath } from 'node:url';
import { build, createServer } from 'vitepress';
import { brokenLinks } from './broken-links.mjs';
import { writeReference } from './reference.mjs';

const folder = fileURLToPath(new URL('..', import.meta.url));

await writeReference();
if (process.argv[2] === 'build') {
  await build(folder);
  const broken = brokenLinks(`${folder}dist/site`, process.env.DOCS_BASE ?? '/');
  for (const line of broken) console.error(line);
  if (broken.length > 0) process.exitCode = 1;
} else {
  const server = await createServer(folder, { port: Number(process.env.PORT ?? 5173) });
  await server.listen();
  server.printUrls();
}
