/**
 * Every part of the chat, including lazy-loaded chunks, on a page with the strictest settings: a content
 * security policy without inline styles and eval, Trusted Types, and cross-origin isolation.
 */

import { servePage } from '../built-page.ts';
import { ChatPage } from '../chat-page.ts';
import { expect, test } from '../fixtures.ts';

const address = 'https://strict.test/every-part';

const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' blob:; " +
    "require-trusted-types-for 'script'; trusted-types lit-html",
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-opener-policy': 'same-origin',
};

/** An image of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('every part of the chat can be used without a CSP violation on a cross-origin isolated page', async ({
  page,
}) => {
  await servePage(page, address, 'every-part', headers);
  await page.goto(address);
  await page.evaluate((path) => import(path), '/every-part.js');
  const chat = new ChatPage(page);

  await page.getByRole('button', { name: 'Accept and continue' }).click();
  await chat.ready();
  await expect(page.locator('inlay-chart')).toBeAttached();
  await expect(page.locator('inlay-thinking')).toBeAttached();
  await expect(page.locator('inlay-markdown math').first()).toBeAttached();
  await expect(page.locator('inlay-markdown pre code span.keyword').first()).toBeAttached();

  await chat.attach({
    name: 'pixel.png',
    mimeType: 'image/png',
    buffer: pixel,
  });
  await expect(page.locator('inlay-attachments canvas')).toBeVisible();
  await chat.say('With a picture');
  await expect(page.locator('inlay-file img')).toBeVisible();

  await chat.button('Show conversations').click();
  await expect(page.locator('inlay-conversation-item')).not.toHaveCount(0);
  await chat.button('Hide conversations').click();
  await chat.button('More').click();
  const download = page.waitForEvent('download');
  await page.locator('inlay-menu').getByRole('menuitem').first().click();
  expect((await download).suggestedFilename()).toContain('.md');

  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  expect(
    await page.evaluate(() => (window as unknown as { violations: string[] }).violations),
  ).toEqual([]);
});
