/** Script tags that pin a version with its integrity hash. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from '../fixtures.ts';
import { RecordingProxy } from '../recording-proxy.ts';

const server = new URL('../../packages/server/', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', server), 'utf8'));
const hash = createHash('sha384').update(readFileSync(new URL('web/inlay.js', server)));
const integrity = `sha384-${hash.digest('base64')}`;

let host: RecordingProxy;
test.beforeEach(({ site }) => {
  host = new RecordingProxy();
  host.target = site.host;
});
test.afterEach(() => host.stop());

test('a page that pins a version with its integrity hash opens a chat that answers, from files compressed with Brotli', async ({
  page,
  site,
}) => {
  host.page(
    '/',
    () => `<!doctype html><title>Pinned</title><script async crossorigin
      src="${site.platform}/v/${version}/inlay.js" integrity="${integrity}"
      data-publishable-key="pk_demo"></script>`,
  );
  const encodings: (string | undefined)[] = [];
  page.on('response', (response) => {
    if (response.url().startsWith(`${site.platform}/v/`)) {
      encodings.push(response.headers()['content-encoding']);
    }
  });
  await page.goto(await host.start());

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
  host.page(
    '/',
    () => `<!doctype html><title>Pinned</title><script crossorigin
      src="${site.platform}/v/${version}/inlay.js" integrity="${otherHash}"></script>`,
  );
  await page.goto(await host.start());

  expect(await page.evaluate(() => 'inlay' in window)).toBe(false);
  await expect(page.getByRole('button', { name: 'Open chat' })).toHaveCount(0);
});
