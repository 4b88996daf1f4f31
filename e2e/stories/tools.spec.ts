/** Tools: approval by the user, and tools that run in the page. */
import { expect, test } from '../fixtures.ts';

test('an approval request explains the call, also after a reload, and the call can be denied', async ({
  chat,
  page,
}) => {
  await chat.say('Send an invitation');
  const explanation = page.getByText(
    'Sends an email to ada@example.com, with the subject “Lunch on Friday”.',
    { exact: true },
  );
  await expect(explanation).toBeVisible();

  await page.reload();
  await expect(explanation).toBeVisible();
  await chat.button('Deny').click();
  await page.getByRole('textbox', { name: 'Why not?' }).fill('Not on a Friday');
  await chat.button('Deny').click();

  await expect(chat.answers.last()).toContainText('I have sent nothing');
  await expect(page.getByText('You denied this: Not on a Friday')).toBeVisible();
});

test('a page tool opens the ticket in the page, and the agent gets the result', async ({
  chat,
  page,
}) => {
  await page.setViewportSize({ width: 800, height: 600 });

  await chat.say('Open my ticket');

  await expect(chat.answers.last()).toContainText('Booking V-4812 is in view');
  await expect(page.locator('.ticket')).toBeFocused();
  await expect(page.getByRole('heading', { name: 'Vesper 31' })).toBeInViewport();
});
