/** Code that comes after the chat, over a network that loses it. */
import { ChatPage } from '../chat-page.ts';
import { expect, test } from '../fixtures.ts';

test('what is decided before the code for it has come is carried out then', async ({
  site,
  page,
}) => {
  const held: (() => void)[] = [];
  await page.goto(`${site.host}/anonymous`);
  const chat = new ChatPage(page);
  await chat.ready();
  await chat.say('Please send the invitation');
  await expect(chat.button('Allow')).toBeVisible();
  await page.route(/\/after-field-[^/]+\.js/, (route) => {
    held.push(() => void route.continue());
  });
  await page.reload();

  await chat.button('Allow').click();
  expect(held).toHaveLength(1);
  await expect(page.getByText('on its way')).toHaveCount(0);
  for (const fetch of held) fetch();

  await expect(chat.answers.last()).toContainText('on its way');
});
