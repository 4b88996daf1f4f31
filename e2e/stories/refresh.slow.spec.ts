/** Token refreshes that the user does not notice. */
import { ChatPage } from '../chat-page.ts';
import { expect, test } from '../fixtures.ts';

test('a chat shows no status during several token refreshes', async ({ site, page }) => {
  let tokens = 0;
  page.on('request', (request) => {
    if (request.url() === `${site.host}/api/chat-token`) tokens += 1;
  });
  await page.clock.install();
  await site.signIn(page.request, 'ada');
  await page.goto(`${site.host}/npm`);
  const chat = new ChatPage(page);
  await chat.ready();
  await chat.ask('The seasons as a table, please');
  const shown: string[] = [];
  await page.exposeFunction('reportStatus', (status: string) => shown.push(status));
  await page.evaluate(() => {
    document.addEventListener('inlay-auth-change', (event) => {
      void (window as unknown as { reportStatus(status: string): void }).reportStatus(
        (event as CustomEvent<{ status: string }>).detail.status,
      );
    });
  });
  const first = tokens;

  // Tokens of the demo live for ten minutes.
  for (let refresh = 1; refresh <= 3; refresh += 1) {
    // The client reads the configuration with each new token; then the token is in use.
    const described = page.waitForResponse(/\/embed\/config$/);
    await page.clock.fastForward('09:00');
    await (await described).finished();
    await expect.poll(() => tokens).toBe(first + refresh);
  }
  await chat.ask('The weather in Lisbon?');

  await expect(chat.answers).toHaveCount(3);
  await expect(chat.questions).toHaveCount(2);
  expect(shown.filter((status) => !['ok', 'refreshing'].includes(status))).toEqual([]);
  await expect(chat.status).toBeHidden();
});

test('an expired token is replaced during an answer', async ({ site, chat, page }) => {
  await site.model(page.request, 'slow');
  await chat.say('The weather in Lisbon?');
  await chat.streaming();

  await site.control(page.request, 'expire');

  await expect(chat.answers.last()).toContainText('Take sunglasses.');
  await expect(chat.answers).toHaveCount(2);
});
