/** A lazy-loaded chunk fails to load: the conversation stays usable, and the user can load the chunk again. */
import { ChatPage } from '../chat-page.ts';
import { expect, test } from '../fixtures.ts';

test('a message is sent and answered even if the message list cannot be loaded, and “Try again” loads the list', async ({
  site,
  page,
}) => {
  let isLost = true;
  let attempts = 0;
  await page.route(/\/message-chunk-[^/]+\.js/, (route) => {
    attempts += 1;
    return isLost ? route.abort() : route.continue();
  });
  await page.goto(`${site.host}/anonymous`);
  const chat = new ChatPage(page);
  await chat.ready();

  await chat.say('The weather in Lisbon?');
  await expect(page.locator('inlay-chat .plain.user')).toHaveCount(1);
  await expect(page.locator('inlay-chat .plain.agent').last()).toContainText('Lisbon');
  await expect(page.getByText('Part of the chat couldn’t be loaded.')).toBeVisible();
  expect(attempts).toBe(3);

  isLost = false;
  await chat.button('Try again').click();
  await expect(chat.questions).toHaveCount(1);
  await expect(chat.answers.last()).toContainText('Lisbon');
  await expect(page.getByText('Part of the chat couldn’t be loaded.')).toHaveCount(0);
});

test('a chunk whose first request fails is loaded without an error message', async ({
  site,
  page,
}) => {
  let attempts = 0;
  await page.route(/\/message-chunk-[^/]+\.js/, (route) => {
    attempts += 1;
    return attempts === 1 ? route.abort() : route.continue();
  });
  await page.goto(`${site.host}/anonymous`);
  const chat = new ChatPage(page);
  await chat.ready();

  await chat.ask('The weather in Lisbon?');

  expect(attempts).toBe(2);
  await expect(chat.button('Try again')).toHaveCount(0);
});

test('a table is shown as text if its module cannot be loaded, and as a table after “Try again”', async ({
  site,
  page,
}) => {
  let isLost = true;
  await page.route(/\/markdown-extras-[^/]+\.js/, (route) =>
    isLost ? route.abort() : route.continue(),
  );
  await page.goto(`${site.host}/anonymous`);
  const chat = new ChatPage(page);
  await chat.ready();

  await chat.say('A table, please');
  await expect(chat.answers.last()).toContainText('| Season |');
  await expect(page.getByText('Part of the chat couldn’t be loaded.')).toBeVisible();
  await expect(page.locator('inlay-markdown table')).toHaveCount(0);

  isLost = false;
  await chat.button('Try again').click();
  await expect(page.locator('inlay-markdown table').first()).toBeVisible();
  await expect(page.getByText('Part of the chat couldn’t be loaded.')).toHaveCount(0);
});

test('a table is shown as text while its module is being loaded', async ({ site, page }) => {
  let answer = () => {};
  await page.route(/\/markdown-extras-[^/]+\.js/, async (route) => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    await route.continue();
  });
  await page.goto(`${site.host}/anonymous`);
  const chat = new ChatPage(page);
  await chat.ready();

  await chat.say('A table, please');
  await expect(chat.answers.last()).toContainText('| Season |');

  answer();
  await expect(chat.answers.last().getByRole('table')).toBeVisible();
});
