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

test('a welcome card starts the conversation, and can be answered after a reload', async ({
  site,
  page,
}) => {
  await page.goto(`${site.host}/lounge`);
  const chat = new ChatPage(page);
  const card = page.locator('inlay-card');
  const train = card.getByRole('combobox', { name: 'Your train' });
  await expect(train).toBeDisabled();
  await chat.button('Accept and continue').click();
  await train.selectOption('Lusitania to Madrid');
  await page.reload();

  await expect(train).toBeEnabled();
  await train.selectOption('Surex to the border');
  await card.getByRole('textbox', { name: 'Where you sit' }).fill('At the stove');
  await card.getByRole('button', { name: 'Call me' }).click();
  await expect(chat.answers.last()).toContainText('We will call you');
  await chat.settled();
  await page.reload();

  await expect(chat.answers.last()).toContainText('We will call you');
  await expect(card).toContainText('Surex to the border');
  await expect(card).toContainText('At the stove');
  await expect(card.getByRole('textbox')).toHaveCount(0);
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
