/** The launcher button that the script tag adds: across page loads, and on a phone. */
import type { Page } from '@playwright/test';
import { ChatPage } from '../chat-page.ts';
import { expect, test } from '../fixtures.ts';

test.beforeEach(async ({ site, page }) => {
  await site.signIn(page.request, 'ada');
});

test('after a reload, an open panel is open with its conversation, and a closed panel is closed', async ({
  site,
  page,
}) => {
  await page.goto(`${site.host}/script-tag`);
  await page.getByRole('button', { name: 'Open chat' }).click();
  const chat = new ChatPage(page);
  await chat.ready();
  await chat.ask('The weather in Lisbon?');

  await page.reload();

  await expect(chat.answers).not.toHaveCount(0);
  await page.getByRole('button', { name: 'Close chat' }).first().click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Open chat' })).toBeVisible();
  await expect(chat.field).toHaveCount(0);
});

test('a bubble that is dragged before the chat is loaded keeps its position after a reload', async ({
  site,
  page,
}) => {
  await page.goto(`${site.host}/script-tag`);
  const bubble = page.getByRole('button', { name: 'Open chat' });
  const before = await bubble.boundingBox();
  await page.mouse.move((before?.x ?? 0) + 28, (before?.y ?? 0) + 28);
  await page.mouse.down();
  await page.mouse.move(600, 420, { steps: 3 });
  await page.mouse.move(120, 400, { steps: 3 });
  await page.mouse.up();
  await expect.poll(async () => (await bubble.boundingBox())?.x).toBe(20);

  await page.reload();

  await expect.poll(async () => (await bubble.boundingBox())?.x).toBe(20);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true });

  test('the back button closes the panel and stays on the page', async ({ site, page }) => {
    await page.goto(`${site.host}/script-tag`);
    const address = page.url();
    await page.getByRole('button', { name: 'Open chat' }).tap();
    const chat = new ChatPage(page);
    await chat.ready();

    await page.goBack();

    await expect(chat.field).toBeHidden();
    expect(page.url()).toBe(address);
    await expect(page.getByRole('button', { name: 'Open chat' })).toBeVisible();
  });

  test('the bubble is smaller while the page scrolls down, and hidden while the keyboard is open', async ({
    site,
    page,
  }) => {
    await page.goto(`${site.host}/script-tag`);
    const bubble = page.getByRole('button', { name: 'Open chat' });
    const width = async () => (await bubble.boundingBox())?.width;
    await expect.poll(width).toBe(56);

    // The code that reacts to scrolling is loaded after the bubble is visible.
    const scrollOn = () => page.mouse.wheel(0, 20).then(width);
    await expect.poll(scrollOn).toBeCloseTo(44.8);
    await page.mouse.wheel(0, -100);
    await expect.poll(width).toBe(56);

    await raiseKeyboard(page);
    await expect(bubble).toBeHidden();
  });

  test('the composer stays above the keyboard, and the page does not scroll', async ({
    site,
    page,
  }) => {
    await page.goto(`${site.host}/script-tag`);
    await page.getByRole('button', { name: 'Open chat' }).tap();
    const chat = new ChatPage(page);
    await chat.ready();

    await chat.field.tap();
    await raiseKeyboard(page);

    await expect
      .poll(async () => {
        const box = await chat.field.boundingBox();
        return (box?.y ?? 1000) + (box?.height ?? 0);
      })
      .toBeLessThan(380);
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
  });
});

/** Simulates an on-screen keyboard, which headless browsers don't have. */
async function raiseKeyboard(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(window.visualViewport, 'height', { configurable: true, value: 380 });
    window.visualViewport?.dispatchEvent(new Event('resize'));
  });
}
