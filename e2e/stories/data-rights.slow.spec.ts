/** Data rights: export and erasure. */
import { readFile } from 'node:fs/promises';
import { expect, test } from '../fixtures.ts';

test('the conversation can be saved as Markdown', async ({ chat, page }) => {
  await chat.ask('The weather in Lisbon?');
  await chat.button('More').click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export as Markdown' }).click();
  const download = await downloading;

  expect(download.suggestedFilename()).toMatch(/\.md$/);
  const copy = await readFile(await download.path(), 'utf8');
  expect(copy).toContain('The weather in Lisbon?');
  expect(copy).toContain('Take sunglasses.');
});

test('after “Delete my data”, the user has no conversations, even after a reload', async ({
  chat,
  page,
}) => {
  await chat.ask('The weather in Lisbon?');
  await chat.button('More').click();
  await page.getByRole('menuitem', { name: 'Delete my data' }).click();
  await chat.button('Delete everything').click();

  await expect(chat.questions).toHaveCount(0);
  await page.reload();
  await chat.ready();
  await expect(chat.questions).toHaveCount(0);
});
