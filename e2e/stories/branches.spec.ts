/** Edited messages: both versions are kept, and the user can switch between them. */
import { expect, test } from '../fixtures.ts';

test('an edited message gets a new answer, and the first version is available after a reload', async ({
  chat,
  page,
}) => {
  await chat.ask('The weather in Lisbon?');
  await chat.questions.first().hover();
  await chat.questions.first().getByRole('button', { name: 'Edit' }).click();
  const editor = page.getByRole('textbox', { name: 'Edit your message' });
  await editor.fill('The seasons as a table, please');
  await editor.press('Enter');
  await expect(chat.answers.last().getByRole('table')).toBeVisible();
  await chat.settled();

  await page.reload();
  await expect(chat.questions).toHaveText([/seasons/]);
  await chat.questions.first().getByRole('button', { name: 'Previous version' }).click();

  await expect(chat.questions).toHaveText([/weather in Lisbon/]);
  await expect(chat.answers.last()).toContainText('Take sunglasses');
});
