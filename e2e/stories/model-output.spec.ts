/**
 * Recorded model output through an OpenAI-compatible endpoint, the platform and the widget: each answer
 * with different chunking, and failures of providers.
 */
import { test as base, expect } from '@playwright/test';
import { ChatPage } from '../chat-page.ts';
import { ModelSite } from '../model-site.ts';
import { findAnswer } from '../replay/answers/catalogue.ts';

const test = base.extend<{ chat: ChatPage; user: string }, { site: ModelSite }>({
  site: [
    async ({ playwright: _ }, use) => {
      const site = await ModelSite.start();
      await use(site);
      await site.stop();
    },
    { scope: 'worker' },
  ],
  user: async ({ playwright: _ }, use, info) => {
    await use(`user-${info.testId.slice(-8)}-${info.workerIndex}`);
  },
  chat: async ({ site, page, user }, use) => {
    await site.visit(page, user);
    await page.getByRole('button', { name: 'Open chat' }).click();
    const chat = new ChatPage(page);
    await chat.ready();
    await use(chat);
    site.replay.use({});
  },
});

/** Answer, options of the replay server, and an element that the answer must show. */
const answers = [
  ['report', 'chunks=token', (chat: ChatPage) => chat.answers.getByRole('table').first()],
  ['code', 'chunks=burst,writes=packed', (chat: ChatPage) => chat.answers.locator('pre').nth(4)],
  ['rtl', 'writes=split-utf8', (chat: ChatPage) => chat.answers.getByRole('table').first()],
  [
    'emoji',
    'writes=split-utf8,lines=crlf',
    (chat: ChatPage) => chat.answers.getByText('👨‍👩‍👧‍👦').first(),
  ],
  ['short', 'chunks=whole', (chat: ChatPage) => chat.answers.first()],
  [
    'reasoning',
    'quirks=comments+empty-deltas',
    (chat: ChatPage) => chat.page.getByText(/^Thought for/),
  ],
  ['tools', 'writes=torn', (chat: ChatPage) => chat.page.locator('inlay-tool-call').nth(1)],
  ['edges', 'quirks=no-choices+role-repeated+no-usage', (chat: ChatPage) => chat.answers.first()],
] as const;

for (const [name, options, seen] of answers) {
  test(`the answer ${name} is shown completely with ${options}`, async ({ site, chat, user }) => {
    await site.answerWith(`replay/${name},${options}`);

    await chat.ask('Go ahead');

    await expect(seen(chat)).toBeVisible();
    const turns = findAnswer(name)?.turns ?? [];
    await expect.poll(() => site.loggedAnswers(user)).toEqual(turns.map((turn) => turn.text));
  });
}

test('an answer of 20,000 tokens is shown completely, and the page stays responsive', async ({
  site,
  chat,
  user,
}) => {
  await site.answerWith('replay/guide,chunks=burst,tps=4000');

  await chat.say('Write the guide');
  await chat.streaming();
  await chat.write('typed while it comes');

  await expect(chat.field).toHaveValue('typed while it comes');
  await expect(chat.stop).toHaveCount(0, { timeout: 40_000 });
  expect(await site.loggedAnswers(user)).toEqual([findAnswer('guide')?.turns[0]?.text]);
});

test('a hostile answer sends no requests and runs no code', async ({ site, chat, page }) => {
  const activity: string[] = [];
  page.on('request', (request) => activity.push(request.url()));
  page.on('dialog', () => activity.push('a dialog'));
  await site.answerWith('replay/hostile,chunks=token');

  await chat.ask('Go ahead');

  const hosts = new Set(activity.map((address) => new URL(address, site.host).host));
  expect([...hosts].filter((host) => !/^localhost:/.test(host))).toEqual([]);
  const links = await chat.answers
    .locator('a')
    .evaluateAll((anchors) =>
      anchors.map((anchor) => new URL((anchor as HTMLAnchorElement).href).protocol),
    );
  expect(links.filter((protocol) => !/^(https?|mailto|tel):$/.test(protocol))).toEqual([]);
  await expect(chat.answers.locator('iframe, script, object, embed, form, style')).toHaveCount(0);
});

for (const fault of ['rate-limit', 'server-error', 'reset'] as const) {
  test(`a temporary ${fault} of the provider is retried invisibly`, async ({ site, chat }) => {
    await site.answerWith(`replay/short,fault=${fault},times=1,retryAfter=0`);

    await chat.ask('Go ahead');

    await expect(chat.page.locator('inlay-notice')).toHaveCount(0);
    await expect(chat.answers).toHaveCount(1);
  });
}

for (const fault of ['error-mid-stream', 'cut-reset', 'malformed'] as const) {
  test(`a ${fault} of the provider during the answer is shown, and can be retried`, async ({
    site,
    chat,
    page,
  }) => {
    await site.answerWith(`replay/report,fault=${fault}`);
    await chat.say('Go ahead');
    const retry = page.locator('inlay-notice').getByRole('button', { name: 'Try again' });
    await expect(retry).toBeVisible({ timeout: 20_000 });
    await expect(chat.stop).toHaveCount(0);
    await site.answerWith('replay/short');

    await retry.click();

    await expect(chat.answers.last()).toContainText(
      findAnswer('short')?.turns[0]?.text.slice(0, 20) ?? '',
    );
  });
}

test('stopping an answer closes the connection to the provider', async ({ site, chat }) => {
  await site.answerWith('replay/report,tps=5');
  const nextRequest = site.replay.nextRequest();
  await chat.say('Go ahead');
  await chat.streaming();

  await chat.stop.click();

  const request = await nextRequest;
  await request.closed;
  expect(request.aborted).toBe(true);
  await expect(chat.answers.last()).toContainText('Stopped');
});

test('stopping closes the connection to a provider that does not respond', async ({
  site,
  chat,
}) => {
  await site.answerWith('replay/short,fault=hang-start');
  const nextRequest = site.replay.nextRequest();
  await chat.say('Go ahead');
  const request = await nextRequest;

  await chat.stop.click();

  await request.closed;
  await expect(chat.stop).toHaveCount(0);
});
