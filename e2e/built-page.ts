import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { build } from 'esbuild';

/**
 * Puts a page of `e2e/pages` at an address, with React as it is during development.
 *
 * @param headers - What its document is sent with besides, such as a policy.
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
  // A page that comes from nowhere is taken for one of the internet, which may not call this machine.
  await page.context().grantPermissions(['local-network-access'], { origin });
  await page.route(
    ({ origin: asked, pathname: path }) => asked === origin && path === `/${name}.js`,
    (route) => route.fulfill({ contentType: 'text/javascript', body: script }),
  );
  await page.route(
    ({ origin: asked, pathname: path }) => asked === origin && path === pathname,
    (route) => route.fulfill({ headers: { ...headers, 'content-type': 'text/html' }, body: html }),
  );
}
