/** People who are not signed in: a publishable key, and a visitor who stays the same. */
import { ChatPage } from '../chat-page.ts';
import { expect, test } from '../fixtures.ts';

test('a visitor reloads and goes on where they were', async ({ site, page }) => {
  await page.goto(`${site.host}/anonymous`);
  const chat = new ChatPage(page);
  await chat.ready();
  await chat.ask('The weather in Lisbon?');
  const before = await chat.transcript();

  await page.reload();

  await expect(chat.answers).toHaveCount(2);
  await expect.poll(() => chat.transcript()).toEqual(before);
  await chat.ask('The seasons as a table, please');
  await expect(chat.questions).toHaveCount(2);
});

test('two visitors never see each other', async ({ site, page, browser }) => {
  await page.goto(`${site.host}/anonymous`);
  const chat = new ChatPage(page);
  await chat.ready();
  await chat.ask('The weather in Lisbon?');

  const stranger = await browser.newContext();
  const other = new ChatPage(await stranger.newPage());
  await other.page.goto(`${site.host}/anonymous`);
  await other.ready();

  await expect(other.questions).toHaveCount(0);
  await stranger.close();
});

test('a page of a wrong origin is refused in words', async ({ site, page }) => {
  // The same page by another name, which is not among the agent's origins.
  await page.goto(`${site.host.replace('localhost', '127.0.0.1')}/anonymous`);

  await expect(page.locator('inlay-chat')).toContainText('does not work on this page');
  await expect(page.locator('inlay-chat')).toContainText('127.0.0.1');
});
