/** A chat with terms to accept and a small budget. */
import { ChatPage } from '../chat-page.ts';
import { expect, test } from '../fixtures.ts';

test('the user must accept the terms once before writing', async ({ site, page }) => {
  await page.goto(`${site.host}/lounge`);
  const chat = new ChatPage(page);
  await expect(page.locator('inlay-consent')).toContainText('We keep what you write for 30 days');
  await expect(chat.field).toHaveCount(0);

  await chat.button('Accept and continue').click();
  await expect(chat.field).toBeFocused();
  await page.reload();

  await chat.ready();
});

test('the user sees which part of the limit is used, and when the limit is reached', async ({
  site,
  page,
}) => {
  await page.goto(`${site.host}/lounge`);
  const chat = new ChatPage(page);
  await chat.button('Accept and continue').click();

  await chat.ask('A tour of what you can write');
  await expect(page.getByText(/You’ve used \d+% of this conversation’s limit/)).toBeVisible();
  await chat.ask('The seasons as a table, please');
  await chat.say('And the weather?');

  await expect(chat.status).toContainText('reached this chat’s limit');
  await chat.status.getByRole('button', { name: 'New conversation' }).click();
  await chat.ready();
});
