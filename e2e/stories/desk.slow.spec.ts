/** A page that controls the chat: messages, commands, mentions, language, and cancelled messages. */
import { ChatPage } from '../chat-page.ts';
import { test as base, expect } from '../fixtures.ts';

const test = base.extend<{ desk: ChatPage }>({
  desk: async ({ site, page }, use) => {
    await site.signIn(page.request, 'ada');
    await page.goto(`${site.host}/desk`);
    const desk = new ChatPage(page);
    await desk.ready();
    await use(desk);
  },
});

test('a button of the page sends a message, and the answer can be pinned to the page', async ({
  desk,
  page,
}) => {
  await page.getByRole('button', { name: 'What is the weather?' }).click();
  await desk.settled();
  await desk.answers.last().getByRole('button', { name: 'Pin' }).click();

  await expect(page.locator('#pins')).toContainText('Take sunglasses');
});

test('a slash command of the page sends its prompt', async ({ desk, page }) => {
  await desk.write('/');
  await expect(page.getByRole('option', { name: /timetable/ })).toBeVisible();
  await desk.say('/timetable Madrid');

  await expect(desk.questions.last()).toHaveText(/Which trains run tonight to Madrid\?/);
  await expect(page.locator('inlay-card')).toContainText('Lusitania');
});

test('the user can mention a booking that the page’s backend has found', async ({ desk, page }) => {
  await desk.field.pressSequentially('The weather for @4172');
  await page.getByRole('option', { name: /VN-4172/ }).click();
  await desk.field.press('Enter');

  await expect(desk.questions.last()).toContainText('@VN-4172');
});

test('a message that the page cancels is not sent, and stays in the field', async ({
  desk,
  page,
}) => {
  const dialogMessage = page.waitForEvent('dialog').then(async (dialog) => {
    await dialog.accept();
    return dialog.message();
  });
  await desk.say('My card is 4111 1111 1111 1111');

  expect(await dialogMessage).toContain('never send the number');
  await expect(desk.questions).toHaveCount(0);
  await expect(desk.field).toHaveValue(/4111/);
});

test('the language and the text direction change together', async ({ desk, page }) => {
  const chat = page.locator('inlay-chat');
  const setLanguage = (language: 'de' | 'ar') =>
    chat.evaluate((element, language) => {
      (element as HTMLElementTagNameMap['inlay-chat']).configure({ language });
    }, language);
  await setLanguage('de');
  await expect(page.getByRole('button', { name: 'Senden' })).toBeVisible();

  await setLanguage('ar');

  await expect(chat.locator('section').first()).toHaveCSS('direction', 'rtl');
  await expect(desk.page.getByRole('button', { name: 'Senden' })).toHaveCount(0);
});
