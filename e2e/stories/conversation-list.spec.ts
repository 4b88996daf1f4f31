/** The list of conversations. */
import { expect, test } from '../fixtures.ts';

test('a conversation can be renamed, found by its name, opened and deleted', async ({
  chat,
  page,
}) => {
  await chat.ask('The weather in Lisbon?');
  await chat.button('New conversation').click();
  await chat.ask('The seasons as a table, please');

  await chat.button('Show conversations').click();
  const items = page.locator('inlay-conversation-item');
  const weather = items.filter({ hasText: 'weather' });
  await weather.hover();
  await weather.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('A week by the sea');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('by the sea');
  await expect(items).toHaveCount(1);
  await items.getByRole('button', { name: /^A week by the sea/ }).click();

  await expect(chat.questions).toHaveText([/weather in Lisbon/]);
  await chat.button('Show conversations').click();
  const sea = items.filter({ hasText: 'A week by the sea' });
  await sea.hover();
  await sea.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();

  await expect(sea).toHaveCount(0);
  await page.reload();
  await expect(chat.questions).toHaveText([/seasons/]);
});

test('the header button opens the conversation list with a focused search field, and closes the list again', async ({
  chat,
  page,
}) => {
  await chat.button('Show conversations').click();
  await expect(page.getByRole('searchbox', { name: 'Search conversations' })).toBeFocused();
  await expect(chat.button('Hide conversations')).toHaveCount(1);

  await chat.button('Hide conversations').click();
  await expect(page.locator('inlay-conversation-list')).toHaveCount(0);
  await expect(chat.button('Show conversations')).toBeFocused();
});
