import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { contentSecurityPolicy } from './content-security-policy.ts';

/** Placeholder in the pages for the URL of the platform, which is known only at run time. */
const placeholder = /https:\/\/chat\.example/g;

export interface PagesOptions {
  /** Directory of the build of `demo/pages`. */
  directory: string;
  /** Public URL of the platform. */
  platform: string;
}

/**
 * Serves the built pages with their security headers.
 *
 * @throws {Error} If the pages have not been built.
 */
export function createPages({ directory, platform }: PagesOptions): Hono {
  const pages = findPages(directory);
  const routes = new Hono();

  for (const [name, file] of pages) {
    const headers = {
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    };
    // The file is read for each request, so that a new build needs no restart.
    routes.get(name === 'index' ? '/' : `/${name}`, async (c) => {
      const html = await readFile(file, 'utf8');
      // The setting “Setup” of the failures requests a policy that does not allow the platform.
      const omitPlatform = c.req.query('policy') === 'without-platform';
      const policy = contentSecurityPolicy(name, platform, omitPlatform);
      c.header('content-security-policy', policy);
      return c.html(html.replace(placeholder, platform), 200, headers);
    });
    if (name !== 'index')
      routes.get(`/${name}/`, (c) => c.redirect(`/${name}${new URL(c.req.url).search}`));
  }
  // File names contain a hash of the content.
  routes.use('/assets/*', async function immutable(c, next) {
    await next();
    if (c.res.ok) c.header('cache-control', 'public, max-age=31536000, immutable');
  });
  routes.use('/assets/*', serveStatic({ root: directory }));
  return routes;
}

/** Maps page names to files: `index` is the start page, every other page is in its own folder. */
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
