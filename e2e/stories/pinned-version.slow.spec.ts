/** Script tags that pin a version with its integrity hash. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { page as pageFault } from '../fault-proxy/fault.ts';
import { type FaultProxy, startFaultProxy } from '../fault-proxy/fault-proxy.ts';
import { expect, test } from '../fixtures.ts';

const server = new URL('../../packages/server/', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', server), 'utf8'));
const hash = createHash('sha384').update(readFileSync(new URL('web/inlay.js', server)));
const integrity = `sha384-${hash.digest('base64')}`;

let host: FaultProxy;
test.beforeEach(async ({ site }) => {
  host = await startFaultProxy({ target: site.host });
});
test.afterEach(() => host.close());

/** Serves a page with this script tag, in place of the first page of the site. */
const servePage = (script: string) =>
  host.faults.add(pageFault(`<!doctype html><title>Pinned</title>${script}`), { path: /^\/$/ });

test('a page that pins a version with its integrity hash opens a chat that answers, from files compressed with Brotli', async ({
  page,
  site,
}) => {
  servePage(
    `<script async crossorigin src="${site.platform}/v/${version}/inlay.js"
      integrity="${integrity}" data-publishable-key="pk_demo"></script>`,
  );
  const encodings: (string | undefined)[] = [];
  page.on('response', (response) => {
    if (response.url().startsWith(`${site.platform}/v/`)) {
      encodings.push(response.headers()['content-encoding']);
    }
  });
  await page.goto(host.url);

  await page.getByRole('button', { name: 'Open chat' }).click();
  const field = page.getByRole('textbox', { name: /message/i });
  await field.fill('hello');
  await field.press('Enter');

  await expect(page.locator('inlay-agent-message inlay-markdown p').first()).toBeVisible();
  expect(encodings.length).toBeGreaterThan(2);
  expect(new Set(encodings)).toEqual(new Set(['br']));
});

test('a page does not run a script whose hash differs from the pinned hash', async ({
  page,
  site,
}) => {
  const otherHash = `sha384-${createHash('sha384').update('another').digest('base64')}`;
  servePage(
    `<script crossorigin src="${site.platform}/v/${version}/inlay.js"
      integrity="${otherHash}"></script>`,
  );
  await page.goto(host.url);

  expect(await page.evaluate(() => 'inlay' in window)).toBe(false);
  await expect(page.getByRole('button', { name: 'Open chat' })).toHaveCount(0);
});
