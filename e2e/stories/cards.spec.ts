/** Cards: a form, and a list to choose from. */
import { expect, test } from '../fixtures.ts';

test('a form can be submitted once, even after a reload', async ({ chat, page }) => {
  await chat.say('Change my booking');
  const card = page.locator('inlay-card');
  await card.getByRole('radio', { name: 'Double' }).check();
  await card.getByRole('textbox', { name: 'E-mail for the new ticket' }).fill('ada@example.com');
  await card.getByRole('checkbox', { name: 'I know that a change' }).check();
  await card.getByRole('button', { name: 'Change the booking' }).click();
  await expect(chat.answers.last()).toContainText('is changed.');
  await chat.settled();

  await page.reload();

  await expect(chat.answers.last()).toContainText('is changed.');
  await expect(card).toContainText('Double');
  await expect(card).toContainText('ada@example.com');
  await expect(card.getByRole('textbox')).toHaveCount(0);
});

test('submitting a form without a required field focuses the field and marks it as invalid', async ({
  chat,
  page,
}) => {
  await chat.say('Change my booking');
  const card = page.locator('inlay-card');
  await card.getByRole('button', { name: 'Change the booking' }).click();

  const email = card.getByRole('textbox', { name: 'E-mail for the new ticket' });
  await expect(email).toHaveAttribute('aria-invalid', 'true');
  await expect(email).toBeFocused();
});

test('an item of a list can be chosen', async ({ chat, page }) => {
  await chat.say('Which trains run tonight?');
  await page.locator('inlay-card').getByRole('button', { name: 'Lusitania' }).click();

  await expect(chat.answers.last()).toContainText('A good choice');
});
