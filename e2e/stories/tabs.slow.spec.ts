/** One user with several tabs. */
import { ChatPage } from '../chat-page.ts';
import { expect, test } from '../fixtures.ts';

test('S28: seven tabs over HTTP/1.1 all receive messages', async ({ site, chat, context }) => {
  test.slow();
  await chat.ask('The weather in Lisbon?');
  const tabs = [chat];
  // Each tab needs a stream, and browsers allow six HTTP/1.1 connections to a host.
  for (let nth = 2; nth <= 7; nth += 1) {
    const tab = new ChatPage(await context.newPage());
    await tab.page.goto(`${site.host}/npm`);
    await expect(tab.questions).toHaveCount(1);
    tabs.push(tab);
  }

  // Checks the first tab, whose stream slot a later tab has taken, a tab in the middle, and the last one.
  const middle = tabs[3] ?? chat;
  for (const tab of [chat, tabs[6] ?? chat, middle]) await tab.ask('A table, please');

  // The question and the two answers about the weather, and three tables with their questions.
  for (const tab of tabs) await expect.poll(() => tab.messages()).toBe(9);
  // Other requests to the host still work.
  const page = await context.newPage();
  const response = await page.goto(`${site.platform}/meta/v1/health`);
  expect(response?.ok()).toBe(true);
});

test('two tabs of one user, each with its own token, show each other’s messages live', async ({
  site,
  chat,
  context,
}) => {
  const bearers = new Map<ChatPage, Set<string>>();
  const watch = (tab: ChatPage) => {
    const ownTokens = new Set<string>();
    bearers.set(tab, ownTokens);
    tab.page.on('request', (request) => {
      const { authorization } = request.headers();
      if (authorization) ownTokens.add(authorization);
    });
  };
  watch(chat);
  await chat.ask('The weather in Lisbon?');
  const other = new ChatPage(await context.newPage());
  watch(other);
  await other.page.goto(`${site.host}/npm`);
  await expect(other.questions).toHaveCount(1);

  await site.model(chat.page.request, 'slow');
  await chat.say('A table, please');
  await chat.streaming();
  await other.streaming();
  await site.model(chat.page.request, 'normal');
  await chat.stop.click();
  await expect(other.stop).toHaveCount(0);
  await other.ask('The seasons as a table, please');

  await expect(chat.questions).toHaveCount(3);
  await expect.poll(() => chat.messages()).toBe(await other.messages());
  const transcript = await other.transcript();
  await expect.poll(() => chat.transcript()).toEqual(transcript);
  const [ownTokens = new Set(), others = new Set()] = [...bearers.values()];
  expect(ownTokens.size).toBeGreaterThan(0);
  expect(others.size).toBeGreaterThan(0);
  expect([...ownTokens].filter((bearer) => others.has(bearer))).toEqual([]);
});
