/** The hosted page, which is opened with a single-use link. */
import type { Page } from '@playwright/test';
import { ChatPage } from '../chat-page.ts';
import { expect, test } from '../fixtures.ts';
import type { Site } from '../site.ts';

/** Creates a link for the signed-in user. */
async function linkFor(page: Page, site: Site): Promise<string> {
  const response = await page.request.get(`${site.host}/hosted-link`, { maxRedirects: 0 });
  return response.headers().location ?? '';
}

test('a hosted link opens the conversation', async ({ site, page }) => {
  await site.signIn(page.request, 'ada');
  await page.goto(`${site.host}/hosted-link`);
  const chat = new ChatPage(page);
  await chat.ready();

  await chat.ask('The weather in Lisbon?');

  expect(page.url()).toMatch(/\/hosted\/\?agent=agt_[\w-]+$/);
});

test('E04: the code is removed from the address and history when the page has loaded', async ({
  site,
  page,
}) => {
  const { link, entries } = await open(page, site);
  const code = link.split('#c=')[1] ?? '';
  const chat = new ChatPage(page);
  await chat.ready();
  await chat.ask('A tour of what you can write, please');

  expect(code).toMatch(/^ec_/);
  const seen = await page.evaluate(() => ({
    href: location.href,
    state: history.state as unknown,
    entries: history.length,
    requests: performance
      .getEntries()
      .filter(({ entryType }) => entryType !== 'navigation')
      .map(({ name }) => name),
  }));
  expect(seen.href).not.toContain(code);
  expect(seen.requests.join()).not.toContain(code);
  expect(seen.requests.some((name) => name.endsWith('/embed/exchange'))).toBe(true);
  // The history has the page with the link and the conversation, but not the URL with the code.
  expect(seen.entries).toBe(entries + 1);
  expect(seen.state).toEqual({ router: 'kept' });

  // Links in answers do not send a referrer.
  const target = `${site.host}/`;
  const navigation = page.waitForRequest(target);
  await chat.answers
    .last()
    .locator('a')
    .first()
    .evaluate((link, href) => {
      (link as HTMLAnchorElement).href = href;
      (link as HTMLAnchorElement).target = '_self';
      (link as HTMLAnchorElement).click();
    }, target);
  expect((await navigation).headers().referer).toBeUndefined();
  await page.waitForURL(target);
  expect(await page.evaluate(() => document.referrer)).toBe('');

  await page.goBack();
  expect(page.url()).not.toContain(code);
  await page.goBack();
  expect(page.url()).toBe(`${site.host}/hosted`);
  await page.goForward();
  expect(page.url()).not.toContain(code);
  // `PerformanceNavigationTiming` keeps the URL with the code, but the code is used up.
  const again = await page.request.post(`${site.platform}/agent/v1/embed/exchange`, {
    data: { code },
    headers: { origin: site.platform },
  });
  expect(again.status()).toBe(404);
});

/** Opens a link from a page of the host, whose router has history state. */
async function open(page: Page, site: Site): Promise<{ link: string; entries: number }> {
  await site.signIn(page.request, 'ada');
  const link = await linkFor(page, site);
  await page.addInitScript((platform) => {
    if (location.origin !== platform || !location.hash) return;
    history.replaceState({ router: 'kept' }, '', location.href);
  }, site.platform);
  await page.goto(`${site.host}/hosted`);
  const entries = await page.evaluate((address) => {
    location.href = address;
    return history.length;
  }, link);
  await page.waitForURL(/\/hosted\//);
  return { link, entries };
}

test('E05: fetching a link without running its scripts does not use up the code', async ({
  site,
  page,
}) => {
  await site.signIn(page.request, 'ada');
  const link = await linkFor(page, site);
  for (const method of ['GET', 'HEAD', 'GET']) await page.request.fetch(link, { method });
  await page.request.get(link, { headers: { 'sec-purpose': 'prefetch' } });

  await page.goto(link);

  await new ChatPage(page).ready();
});

test('E06: a link that is already used shows an explanation and how to continue', async ({
  site,
  page,
  browser,
}) => {
  await site.signIn(page.request, 'ada');
  const link = await linkFor(page, site);
  // Simulates a link scanner that runs scripts.
  const sandbox = await browser.newContext();
  const scanner = await sandbox.newPage();
  await scanner.goto(link);
  await new ChatPage(scanner).ready();
  await expect(scanner).not.toHaveTitle('Conversation');
  const agentName = await scanner.title();
  await sandbox.close();

  const secondContext = await browser.newContext();
  const secondPage = await secondContext.newPage();
  await secondPage.goto(`${site.host}/hosted`);
  await secondPage.evaluate((address) => {
    location.href = address;
  }, link);

  await expect(secondPage.getByRole('heading', { name: /already used/ })).toBeVisible();
  await expect(secondPage.getByText(/To get a new one/)).toBeVisible();
  await expect(secondPage.getByText(agentName, { exact: true })).toBeVisible();
  await expect(secondPage.getByRole('link', { name: 'Back to localhost' })).toBeVisible();
  await secondContext.close();
});

test('a module of the hosted page that fails to load is loaded again', async ({ site, page }) => {
  await site.signIn(page.request, 'ada');
  const link = await linkFor(page, site);
  let failures = 0;
  await page.route(/\/page(?!-store)\b[^/]*\.[jt]s/, (route) => {
    failures += 1;
    return failures <= 2 ? route.abort() : route.continue();
  });

  await page.goto(link);

  await new ChatPage(page).ready();
  expect(failures).toBe(3);
});

test('E08: a new link that is opened in the tab of a used one opens the conversation', async ({
  site,
  page,
}) => {
  const { link } = await open(page, site);
  const chat = new ChatPage(page);
  await chat.ready();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const newLink = await linkFor(page, site);
  expect(newLink.split('#')[0]).toBe(link.split('#')[0]);

  // Only the fragment differs, so that the browser does not load the page.
  await page.evaluate((address) => {
    location.href = address;
  }, newLink);

  await chat.ready();
  expect(page.url()).not.toContain('#');
});

test('E08: the hosted page asks for a new link after a reload, and does not reload itself', async ({
  site,
  page,
}) => {
  await site.signIn(page.request, 'ada');
  await page.goto(`${site.host}/hosted-link`);
  await new ChatPage(page).ready();
  // The field is shown before all requests are finished.
  await page.waitForLoadState('networkidle');
  const requestedPaths: string[] = [];
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));

  await page.reload();

  await expect(page.getByRole('heading', { name: 'This page needs a new link' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(requestedPaths.filter((path) => path.startsWith('/agent/'))).toEqual([]);
  expect(requestedPaths.filter((path) => path === '/hosted/')).toHaveLength(1);
  await expect(page.getByRole('link', { name: /^Back to/ })).toHaveAttribute(
    'href',
    new RegExp(site.host),
  );
});
