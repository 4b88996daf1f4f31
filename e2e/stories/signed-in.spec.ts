/** The main use case: a signed-in user of the host page chats with the agent. */
import { ChatPage } from '../chat-page.ts';
import { expect, test } from '../fixtures.ts';

test('a signed-in user sends a message and gets a formatted answer', async ({ chat }) => {
  await chat.ask('A tour of what you can write, please');

  const answer = chat.answers.last();
  await expect(answer.getByRole('heading', { name: 'A table' })).toBeVisible();
  await expect(answer.getByRole('cell', { name: 'Company' })).toBeVisible();
  await expect(answer.getByRole('listitem').filter({ hasText: 'Plan' }).first()).toBeVisible();
  await expect(answer.getByRole('link', { name: 'link to the standard' })).toHaveAttribute(
    'rel',
    /noopener/,
  );
  await expect(answer).not.toContainText('**');
});

test('a tool that needs approval runs after the user has allowed it in the chat', async ({
  chat,
}) => {
  await chat.say('Please send the invitation');
  await chat.button('Allow').click();

  await expect(chat.answers.last()).toContainText('on its way');
});

test('the partial answer is kept after “Stop”, and the next message is answered', async ({
  site,
  chat,
  page,
}) => {
  await site.model(page.request, 'slow');
  await chat.say('A table, please');
  await chat.streaming();

  await chat.stop.click();

  await expect(chat.stop).toHaveCount(0);
  await expect(chat.answers.last()).toContainText('Stopped');
  await site.model(page.request, 'normal');
  await chat.ask('The weather in Lisbon?');
  await expect(chat.answers.last()).toContainText('Lisbon');
});

test('a failed answer shows an error, and can be retried', async ({ site, chat, page }) => {
  await site.model(page.request, 'fail');
  await chat.say('A table, please');
  const retry = page.locator('inlay-notice').getByRole('button', { name: 'Try again' });
  await expect(retry).toBeVisible();

  await site.model(page.request, 'normal');
  await retry.click();

  await expect(chat.answers.last().getByRole('table')).toBeVisible();
});

for (const integration of ['script-tag', 'react'] as const) {
  test(`a signed-in user can chat on the ${integration} page`, async ({ site, page }) => {
    await site.signIn(page.request, 'ada');
    await page.goto(`${site.host}/${integration}`);
    const bubble = page.getByRole('button', { name: 'Open chat' });
    if (integration === 'script-tag') await bubble.click();
    const chat = new ChatPage(page);
    await chat.ready();

    await chat.ask('The weather in Lisbon?');

    await expect(chat.answers.last()).toContainText('Lisbon');
  });
}
