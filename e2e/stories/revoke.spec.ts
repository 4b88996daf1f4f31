/** Revocation and blocking: open chats stop immediately, and drafts are kept. */
import { ChatPage } from '../chat-page.ts';
import { expect, test } from '../fixtures.ts';

test('revoking all tokens of a user stops the answers in both tabs, and keeps the drafts', async ({
  site,
  chat,
  page,
  context,
}) => {
  await site.model(page.request, 'slow');
  const other = new ChatPage(await context.newPage());
  await other.page.goto(`${site.host}/npm`);
  await other.ready();
  await chat.say('The seasons as a table, please');
  await other.say('A tour, please');
  await chat.streaming();
  await other.streaming();
  await chat.write('what I was going to say');
  await other.write('and here as well');

  await site.signOut(page.request);

  for (const tab of [chat, other]) {
    await expect(tab.status).toContainText('Your access has ended');
    await expect(tab.stop).toHaveCount(0);
  }
  await expect(chat.answers.last()).toContainText(/\w{3}/);
  await expect(chat.field).toHaveValue('what I was going to say');
  await expect(other.field).toHaveValue('and here as well');
});

test('after one token is revoked, the user continues with a new token', async ({
  site,
  chat,
  page,
}) => {
  await chat.ask('The weather in Lisbon?');

  await site.control(page.request, 'revoke');
  await chat.ask('The seasons as a table, please');

  await expect(chat.answers.last().getByRole('table')).toBeVisible();
  await expect(chat.status).toBeHidden();
});

test('a blocked user sees that the chat can’t be used, and can send the draft after being unblocked', async ({
  site,
  chat,
  page,
}) => {
  await chat.ask('The weather in Lisbon?');
  await chat.write('half a thought');

  await site.control(page.request, 'block');

  await expect(chat.status).toContainText('You can’t use this chat');
  await expect(chat.answers.last()).toContainText('Lisbon');
  await site.control(page.request, 'unblock');
  await chat.status.getByRole('button', { name: 'Reconnect' }).click();
  await expect(chat.status).toBeHidden();
  await expect(chat.field).toHaveValue('half a thought');
  await chat.field.press('Enter');
  await expect(chat.questions).toHaveCount(2);
  await chat.settled();
});
