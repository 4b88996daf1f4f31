/** Outages of the network and the server: the transcript stays complete. */
import { expect, test } from '../fixtures.ts';

test('the transcript is complete after the server crashed during an answer and restarted', async ({
  site,
  chat,
  page,
}) => {
  await site.model(page.request, 'slow');
  await chat.say('The seasons as a table, please');
  await chat.streaming();
  // The interrupted answer is slow, and the answer after the restart is fast.
  await site.model(page.request, 'normal');

  await site.server(page.request, 'killed');
  await site.server(page.request, 'running');

  await expect(chat.answers.last()).toContainText('The figures are invented');
  await expect(chat.questions).toHaveCount(1);
  await page.reload();
  await expect(chat.answers).toHaveCount(1);
  await expect(chat.answers.last()).toContainText('The figures are invented');
});

test('a message that is sent offline is delivered once, after the network is back', async ({
  chat,
  page,
  context,
}) => {
  await chat.ask('The weather in Lisbon?');
  await context.setOffline(true);
  await expect(chat.status).toContainText('You’re offline');

  await chat.say('The seasons as a table, please');
  await expect(chat.questions.last()).toContainText('Waiting to send');
  await context.setOffline(false);

  await expect(chat.answers.last().getByRole('table')).toBeVisible({ timeout: 20_000 });
  await page.reload();
  await expect(chat.answers.last().getByRole('table')).toBeVisible();
  await expect(chat.questions).toHaveCount(2);
});

test('an answer whose connection is cut is shown completely, and only once', async ({
  site,
  chat,
  page,
}) => {
  await site.model(page.request, 'slow');
  await chat.say('The weather in Lisbon?');
  await chat.streaming();

  await site.network(page.request, 'cut');
  await site.network(page.request, 'up');

  await expect(chat.answers.last()).toContainText('Take sunglasses.');
  await expect(chat.answers).toHaveText([
    /Let me look that up\./,
    /In Lisbon it is .* Take sunglasses\./,
  ]);
  await expect(chat.questions).toHaveCount(1);
});
