/**
 * Recorded model output through an OpenAI-compatible endpoint, the platform and the widget: each answer
 * with different chunking, and failures of providers.
 */
import { test as base, expect, type Locator } from '@playwright/test';
import { ChatPage } from '../chat-page.ts';
import { ModelSite } from '../model-site.ts';
import { answers } from '../replay/answers.ts';
import type { Playback } from '../replay/replay-server.ts';

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
  },
});

/** How an answer is played, and an element that the chat must then show. */
const playbacks: readonly [Playback, (chat: ChatPage) => Locator][] = [
  [{ answer: 'report', chunks: 'token' }, (chat) => chat.answers.getByRole('table').first()],
  [
    { answer: 'code', chunks: 'burst', writes: 'packed' },
    (chat) => chat.answers.locator('pre').nth(4),
  ],
  [{ answer: 'rtl', writes: 'split-utf8' }, (chat) => chat.answers.getByRole('table').first()],
  [
    { answer: 'emoji', writes: 'split-utf8', lineEnd: '\r\n' },
    (chat) => chat.answers.getByText('👨‍👩‍👧‍👦').first(),
  ],
  [{ answer: 'short', chunks: 'whole' }, (chat) => chat.answers.first()],
  [
    { answer: 'reasoning', quirks: ['comments', 'empty-deltas'] },
    (chat) => chat.page.getByText(/^Thought for/),
  ],
  [{ answer: 'tools', writes: 'torn' }, (chat) => chat.page.locator('inlay-tool-call').nth(1)],
  [
    { answer: 'edges', quirks: ['no-choices', 'role-repeated', 'no-usage'] },
    (chat) => chat.answers.first(),
  ],
];

for (const [playback, seen] of playbacks) {
  const { answer, ...options } = playback;
  test(`the recorded answer “${answer}”, played with ${JSON.stringify(options)}, is shown completely`, async ({
    site,
    chat,
    user,
  }) => {
    site.replay.play(playback);

    await chat.ask('Go ahead');

    await expect(seen(chat)).toBeVisible();
    const texts = answers[answer].map(({ text }) => text);
    await expect.poll(() => site.loggedAnswers(user)).toEqual(texts);
  });
}

test('an answer of 20,000 tokens is shown completely, and the page stays responsive', async ({
  site,
  chat,
  user,
}) => {
  site.replay.play({ answer: 'long', chunks: 'burst', tokensPerSecond: 4_000 });

  await chat.say('Write the guide');
  await chat.streaming();
  await chat.write('typed while it comes');

  await expect(chat.field).toHaveValue('typed while it comes');
  await expect(chat.stop).toHaveCount(0);
  expect(await site.loggedAnswers(user)).toEqual([answers.long[0].text]);
});

test('a hostile answer causes no requests to other hosts, and adds no active content or unsafe links', async ({
  site,
  chat,
  page,
}) => {
  const requested: string[] = [];
  const dialogs: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('dialog', async (dialog) => {
    dialogs.push(dialog.message());
    await dialog.dismiss();
  });
  site.replay.play({ answer: 'hostile' });

  await chat.ask('Go ahead');

  expect(dialogs).toEqual([]);
  const hosts = new Set(requested.map((address) => new URL(address).host));
  expect([...hosts].filter((host) => !/^localhost:/.test(host))).toEqual([]);
  const links = await chat.answers
    .locator('a')
    .evaluateAll((anchors) =>
      anchors.map((anchor) => new URL((anchor as HTMLAnchorElement).href).protocol),
    );
  expect(links.filter((protocol) => !/^(https?|mailto|tel):$/.test(protocol))).toEqual([]);
  await expect(chat.answers.locator('iframe, script, object, embed, form, style')).toHaveCount(0);
});

for (const [name, fault] of [
  ['rate limit', 'rate-limit'],
  ['server error', 'server-error'],
  ['connection reset', 'reset'],
] as const) {
  test(`a temporary ${name} of the provider is retried without a notice`, async ({
    site,
    chat,
  }) => {
    site.replay.play({ answer: 'short', fault, times: 1 });

    await chat.ask('Go ahead');

    await expect(chat.page.locator('inlay-notice')).toHaveCount(0);
    await expect(chat.answers).toHaveCount(1);
  });
}

for (const [name, fault] of [
  ['an error event', 'error-mid-stream'],
  ['a connection reset', 'cut-reset'],
  ['malformed data', 'malformed'],
] as const) {
  test(`an answer that ends with ${name} of the provider shows an error, and can be retried`, async ({
    site,
    chat,
    page,
  }) => {
    site.replay.play({ answer: 'report', fault });
    await chat.say('Go ahead');
    const retry = page.locator('inlay-notice').getByRole('button', { name: 'Try again' });
    await expect(retry).toBeVisible({ timeout: 20_000 });
    await expect(chat.stop).toHaveCount(0);
    site.replay.play({ answer: 'short' });

    await retry.click();

    await expect(chat.answers.last()).toContainText(answers.short[0].text.slice(0, 20));
  });
}

for (const [playback, text] of [
  [{ answer: 'empty' }, 'no answer'],
  [{ answer: 'short', finish: 'error' }, 'interrupted'],
  [{ answer: 'short', finish: 'by_decree' }, 'interrupted'],
] as const) {
  test(`an answer played with ${JSON.stringify(playback)} shows a notice, and can be retried`, async ({
    site,
    chat,
    page,
  }) => {
    site.replay.play(playback);
    await chat.say('Go ahead');
    const notice = page.locator('inlay-notice');
    await expect(notice).toContainText(text, { timeout: 20_000 });
    site.replay.play({ answer: 'code' });

    await notice.getByRole('button', { name: 'Try again' }).click();

    await expect(chat.answers.last().locator('pre').first()).toBeVisible();
    await expect(notice).toHaveCount(0);
  });
}

test('an answer that is cut off at its maximum length stays, and can be continued', async ({
  site,
  chat,
  page,
}) => {
  site.replay.play({ answer: 'short', finish: 'length' });
  await chat.say('Go ahead');
  const notice = page.locator('inlay-notice');
  await expect(notice).toContainText('too long', { timeout: 20_000 });
  site.replay.play({ answer: 'code' });

  await notice.getByRole('button', { name: 'Continue' }).click();

  await expect(chat.answers.last().locator('pre').first()).toBeVisible();
  await expect(chat.answers.first()).toContainText(answers.short[0].text.slice(0, 20));
  await expect(page.getByText('Continue', { exact: true })).toBeVisible();
});

test('an answer that a filter withholds shows a notice', async ({ site, chat, page }) => {
  site.replay.play({ answer: 'short', finish: 'content_filter' });

  await chat.say('Go ahead');

  await expect(page.locator('inlay-notice')).toContainText('withheld', { timeout: 20_000 });
});

test('stopping an answer closes the connection to the provider', async ({ site, chat }) => {
  site.replay.play({ answer: 'report', tokensPerSecond: 5 });
  const nextRequest = site.replay.nextRequest();
  await chat.say('Go ahead');
  await chat.streaming();

  await chat.stop.click();

  const { closed } = await nextRequest;
  expect(await closed).toEqual({ aborted: true });
  await expect(chat.answers.last()).toContainText('Stopped');
});

test('stopping closes the connection to a provider that does not respond', async ({
  site,
  chat,
}) => {
  site.replay.play({ answer: 'short', fault: 'hang' });
  const nextRequest = site.replay.nextRequest();
  await chat.say('Go ahead');
  const { closed } = await nextRequest;

  await chat.stop.click();

  await closed;
  await expect(chat.stop).toHaveCount(0);
});
