/** Uploads of a real browser (`XMLHttpRequest`) to a platform on another origin. */
import type { Page } from '@playwright/test';
import { servePage } from '../built-page.ts';
import { test as base, expect } from '../fixtures.ts';

interface Outcome {
  readonly size?: number;
  readonly code?: string;
  readonly status?: number | null;
  readonly requestId?: string | null;
  readonly errors?: readonly { readonly pointer: string }[];
  readonly progress: readonly number[];
  readonly tokens: number;
}
type Upload = (bytes: number, options?: { abortAt?: number }) => Promise<Outcome>;

const test = base.extend<{ upload: Upload }>({
  upload: async ({ site, page }, use) => {
    await site.signIn(page.request, 'ada');
    const address = `${site.host}/files`;
    await servePage(page, address, 'files');
    await page.goto(`${address}?platform=${encodeURIComponent(site.platform)}`);
    await page.evaluate((path) => import(path), '/files.js');
    await use((...args) =>
      page.evaluate(
        (options) => (window as unknown as { upload: Upload }).upload(...options),
        args as Parameters<Upload>,
      ),
    );
  },
});

/** Limits the upload bandwidth of the page, in bytes per second. */
async function slowDown(page: Page, uploadThroughput: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput };
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', conditions);
}

test('an upload reports its progress, and the file is stored unchanged', async ({
  upload,
  page,
}) => {
  const messages: string[] = [];
  page.on('console', (message) => messages.push(message.text()));
  await slowDown(page, 1_000_000);

  const { size, progress } = await upload(1_500_000);

  expect(size).toBe(1_500_000);
  expect(progress.length).toBeGreaterThan(2);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  expect(progress.at(-1)).toBe(1);
  expect(messages).toEqual([]);
});

test('an upload can be aborted', async ({ upload, page }) => {
  await slowDown(page, 200_000);
  const broken = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/files'));

  const { code, progress } = await upload(1_500_000, { abortAt: 0.1 });

  expect(code).toBe('ABORTED');
  expect(progress.at(-1)).toBeLessThan(1);
  expect((await broken).failure()?.errorText).toBe('net::ERR_ABORTED');
});

for (const megabytes of [3, 20]) {
  test(`a file of ${megabytes} megabytes is rejected as too large`, async ({ upload }) => {
    const refused = await upload(megabytes * 1_000_000);

    expect(refused).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', status: 413 });
    expect(refused.requestId).toMatch(/\w/);
  });
}

test('an empty file is rejected with an error that names the field', async ({ upload }) => {
  const refused = await upload(0);

  expect(refused).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ pointer: '/file' }] });
});

test('an upload with an expired token is repeated once with a new token', async ({
  upload,
  page,
  site,
}) => {
  const statuses: number[] = [];
  page.on('response', (response) => {
    if (response.request().method() !== 'POST' || !response.url().endsWith('/files')) return;
    statuses.push(response.status());
  });
  expect(await upload(10)).toMatchObject({ size: 10, tokens: 1 });
  await site.control(page.request, 'expire');

  expect(await upload(20)).toMatchObject({ size: 20, tokens: 2 });

  expect(statuses).toEqual([200, 401, 200]);
});

test('an upload to an unreachable platform fails with NETWORK_ERROR', async ({ upload, page }) => {
  await upload(10);
  await page.context().setOffline(true);

  expect(await upload(10)).toMatchObject({ code: 'NETWORK_ERROR', status: null });
  await page.context().setOffline(false);
});
