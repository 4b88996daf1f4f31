import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { build } from 'esbuild';

/**
 * Bundles a page of `e2e/pages` with the development build of React, and serves the bundle at `/NAME.js`.
 * Also serves an HTML document at `address`, which does not load the bundle.
 *
 * @param headers - Additional response headers of the document, such as a content security policy.
 */
export async function servePage(
  page: Page,
  address: string,
  name: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [resolve('e2e/pages', `${name}.tsx`)],
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    conditions: ['source', 'browser'],
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  const script = outputFiles[0]?.text ?? '';
  const { origin, pathname } = new URL(address);
  const html = `<!doctype html><html lang="en"><title>Test</title><div id="app"></div>`;
  // Chromium treats intercepted pages as public, and blocks their requests to local addresses.
  await page.context().grantPermissions(['local-network-access'], { origin });
  await page.route(
    ({ origin: requestOrigin, pathname: path }) =>
      requestOrigin === origin && path === `/${name}.js`,
    (route) => route.fulfill({ contentType: 'text/javascript', body: script }),
  );
  await page.route(
    ({ origin: requestOrigin, pathname: path }) => requestOrigin === origin && path === pathname,
    (route) => route.fulfill({ headers: { ...headers, 'content-type': 'text/html' }, body: html }),
  );
}
