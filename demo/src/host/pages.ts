import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
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
  const pages = findPages(directory);
  const routes = new Hono();

  for (const [name, file] of pages) {
    const headers = {
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    };
    // Read at each request, so that a new build is seen without starting again.
    routes.get(name === 'index' ? '/' : `/${name}`, async (c) => {
      const html = await readFile(file, 'utf8');
      // For the developer panel: what becomes of a page whose policy knows no platform.
      const forgetful = c.req.query('policy') === 'forgetful';
      const policy = contentSecurityPolicy(name, platform, forgetful);
      c.header('content-security-policy', policy);
      return c.html(html.replace(placeholder, platform), 200, headers);
    });
    if (name !== 'index')
      routes.get(`/${name}/`, (c) => c.redirect(`/${name}${new URL(c.req.url).search}`));
  }
  // The names of these files change with what is in them.
  routes.use('/assets/*', async function kept(c, next) {
    await next();
    if (c.res.ok) c.header('cache-control', 'public, max-age=31536000, immutable');
  });
  routes.use('/assets/*', serveStatic({ root: directory }));
  return routes;
}

/** Page name to file. The start page is `index`; each other page has a folder of its name. */
function findPages(directory: string): Map<string, string> {
  const start = join(directory, 'index.html');
  if (!existsSync(start)) {
    throw new Error(`The pages are not built: there is no ${start}. Run: npm run build -w demo`);
  }
  const pages = new Map([['index', start]]);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const file = join(directory, entry.name, 'index.html');
    if (entry.isDirectory() && existsSync(file)) pages.set(entry.name, file);
  }
  return pages;
}
