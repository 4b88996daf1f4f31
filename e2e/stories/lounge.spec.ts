/** A chat that asks before it begins, and may spend little. */
import { ChatPage } from '../chat-page.ts';
import { expect, test } from '../fixtures.ts';

test('nothing is written before the terms are accepted, once for all', async ({ site, page }) => {
  await page.goto(`${site.host}/lounge`);
  const chat = new ChatPage(page);
  await expect(page.locator('inlay-consent')).toContainText('We keep what you write for 30 days');
  await expect(chat.field).toHaveCount(0);

  await chat.button('Accept and continue').click();
  await expect(chat.field).toBeFocused();
  await page.reload();

  await chat.ready();
});

test('a person sees how much is left, and that it is used up', async ({ site, page }) => {
  await page.goto(`${site.host}/lounge`);
  const chat = new ChatPage(page);
  await chat.button('Accept and continue').click();

  await chat.ask('A tour of what you can write');
  await expect(page.getByText(/\d+% of what this conversation may use is used/)).toBeVisible();
  await chat.ask('The seasons as a table, please');
  await chat.say('And the weather?');

  await expect(chat.status).toContainText('limit of this chat is reached');
  await chat.status.getByRole('button', { name: 'New conversation' }).click();
  await chat.ready();
});
