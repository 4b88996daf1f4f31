/** React in development: StrictMode and hot module replacement. */
import type { Page } from '@playwright/test';
import { servePage } from '../built-page.ts';
import { expect, test } from '../fixtures.ts';
import { mountStrictChat, openStrictChat } from '../strict-chat.ts';

/** Records the open streams and the configuration requests of a page. */
function watch(page: Page) {
  const open = new Set<unknown>();
  const configs: string[] = [];
  page.on('request', (request) => {
    if (/\/sessions\?|\/events\/stream/.test(request.url())) open.add(request);
    if (request.url().endsWith('/embed/config')) configs.push(request.method());
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  return { open, configs: () => configs.filter((method) => method === 'GET').length };
}

const tokenRequests = (page: Page) =>
  page.evaluate(() => (window as unknown as { asked: string[] }).asked.slice());

test('T30: StrictMode leaves one connected chat that has requested one token', async ({
  site,
  page,
}) => {
  const { open, configs } = watch(page);
  await site.signIn(page.request, 'ada');
  const chat = await openStrictChat(page, site, '/strict');
  await chat.ask('The weather in Lisbon?');

  expect(await tokenRequests(page)).toEqual(['first']);
  expect(configs()).toBe(1);
  expect(open.size).toBe(1);
});

test('T30: hot module replacement leaves no connection of the previous module', async ({
  site,
  page,
}) => {
  const { open } = watch(page);
  await site.signIn(page.request, 'ada');
  const chat = await openStrictChat(page, site, '/strict');
  await chat.ask('The weather in Lisbon?');
  for (const version of [2, 3]) await mountStrictChat(page, site, version);

  await expect(chat.answers).toHaveCount(2);
  await chat.ask('The seasons as a table, please');

  // Each version of the module replaces `window.asked` with its own list.
  expect(await tokenRequests(page)).toEqual(['first']);
  expect(open.size).toBe(1);
  await expect(page.locator('inlay-chat')).toHaveCount(1);
});

for (const closesFirst of [false, true]) {
  test(`E01: an effect that StrictMode runs twice exchanges the code of a hosted link once ${closesFirst ? 'if its cleanup closes the client' : 'if its cleanup does not close the client'}`, async ({
    site,
    page,
  }) => {
    const exchanges: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/embed/exchange') && request.method() === 'POST')
        exchanges.push(request.url());
    });
    await site.signIn(page.request, 'ada');
    const issued = await page.request.get(`${site.host}/hosted-link`, { maxRedirects: 0 });
    const { hash } = new URL(issued.headers().location ?? '');
    const address = `${site.platform}/hosted/strict`;
    await servePage(page, address, 'strict-link');
    await page.goto(`${address}${closesFirst ? '?closes' : ''}${hash}`);
    await page.evaluate(() => import(String('/strict-link.js')));

    const results = () =>
      page.evaluate(() => (window as unknown as { results: string[] }).results.slice().sort());
    await expect.poll(results).toEqual(closesFirst ? ['CLOSED', 'ada'] : ['ada', 'ada']);
    expect(exchanges).toHaveLength(1);
    expect(page.url()).not.toContain('c=');
  });
}
