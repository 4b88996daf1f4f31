import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { contentSecurityPolicy } from './content-security-policy.ts';

/** Stands in the pages for the platform's address, which only the running demo knows. */
const placeholder = /https:\/\/chat\.example/g;

export interface PagesOptions {
  /** Directory of the build of `demo/pages`. */
  directory: string;
  /** The platform's address, as browsers know it. */
  platform: string;
}

/** @throws Error where the pages have not been built. */
export function createPages({ directory, platform }: PagesOptions): Hono {
  const pages = readPages(directory, platform);
  const routes = new Hono();

  for (const [name, html] of pages) {
    const headers = {
      'content-security-policy': contentSecurityPolicy(name, platform),
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    };
    routes.get(name === 'index' ? '/' : `/${name}`, (c) => c.html(html, 200, headers));
  }
  // The names of these files change with what is in them.
  routes.use('/assets/*', async function kept(c, next) {
    await next();
    if (c.res.ok) c.header('cache-control', 'public, max-age=31536000, immutable');
  });
  routes.use('/assets/*', serveStatic({ root: directory }));
  return routes;
}

/** Page name to HTML. The start page is `index`; each other page has a folder of its name. */
function readPages(directory: string, platform: string): Map<string, string> {
  const start = join(directory, 'index.html');
  if (!existsSync(start)) {
    throw new Error(`The pages are not built: there is no ${start}. Run: npm run build -w demo`);
  }
  const files: [name: string, file: string][] = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => [entry.name, join(directory, entry.name, 'index.html')]);
  return new Map(
    [['index', start] as const, ...files]
      .filter(([, file]) => existsSync(file))
      .map(([name, file]) => [name, readFileSync(file, 'utf8').replace(placeholder, platform)]),
  );
}
