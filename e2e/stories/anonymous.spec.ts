/** Anonymous visitors with a publishable key. */
import { ChatPage } from '../chat-page.ts';
import { expect, test } from '../fixtures.ts';

test('a visitor continues the conversation after a reload', async ({ site, page }) => {
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

test('a visitor does not see the conversation of another visitor', async ({
  site,
  page,
  browser,
}) => {
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

test('a visitor who signs in keeps the conversation, and the next person is not asked', async ({
  site,
  page,
}) => {
  await page.goto(`${site.host}/anonymous`);
  const chat = new ChatPage(page);
  await chat.ready();
  await chat.ask('The weather in Lisbon?');
  const before = await chat.transcript();
  const signIn = async (person: 'ada' | 'linus') => {
    await site.signIn(page.request, person);
    await page.reload();
    await page.locator('inlay-chat').evaluate((element) => {
      Object.assign(element, { tokenUrl: '/api/chat-token' });
    });
    await chat.ready();
  };
  const question = page.getByRole('region', { name: 'Keep the conversation' });

  await signIn('ada');
  await expect(question).toBeVisible();
  await expect(chat.questions).toHaveCount(0);
  await question.getByRole('button', { name: 'Yes' }).click();

  await expect.poll(() => chat.transcript()).toEqual(before);
  await expect(question).toBeHidden();
  await chat.ask('The seasons as a table, please');
  await expect(chat.questions).toHaveCount(2);

  await signIn('linus');
  await expect(chat.questions).toHaveCount(0);
  await expect(question).toBeHidden();
});

test('the chat on a page of another origin shows that it is not available there', async ({
  site,
  page,
}) => {
  // The same page on another host name, which the agent does not allow.
  await page.goto(`${site.host.replace('localhost', '127.0.0.1')}/anonymous`);

  await expect(page.locator('inlay-chat')).toContainText('isn’t available on this page');
  await expect(page.locator('inlay-chat')).toContainText('127.0.0.1');
});
