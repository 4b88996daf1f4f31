/** The hosted page: a link that works once. */
import { ChatPage } from '../chat-page.ts';
import { expect, test } from '../fixtures.ts';

test('a hosted link opens the conversation and leaves no code behind', async ({ site, page }) => {
  await site.signIn(page.request, 'ada');
  await page.goto(`${site.host}/hosted-link`);
  const chat = new ChatPage(page);
  await chat.ready();

  await chat.ask('The weather in Lisbon?');

  expect(page.url()).toMatch(/\/hosted\/\?agent=agt_[\w-]+$/);
  const addresses = await page.evaluate(() =>
    performance.getEntriesByType('resource').map((entry) => entry.name),
  );
  expect(addresses.filter((address) => /[#?].*c=/.test(address))).toEqual([]);
});

test('a second use of the link is explained, with a way on', async ({ site, page, browser }) => {
  await site.signIn(page.request, 'ada');
  const response = await page.request.get(`${site.host}/hosted-link`, { maxRedirects: 0 });
  const link = response.headers().location ?? '';
  await page.goto(link);
  await new ChatPage(page).ready();

  const late = await browser.newContext();
  const again = await late.newPage();
  await again.goto(`${site.host}/hosted`);
  await again.evaluate((address) => {
    location.href = address;
  }, link);

  await expect(again.getByRole('heading', { name: /used already/ })).toBeVisible();
  await expect(again.getByRole('link', { name: 'Back to localhost' })).toBeVisible();
  await late.close();
});

test('a reload of the hosted page asks for a new link instead of looping', async ({
  site,
  page,
}) => {
  await site.signIn(page.request, 'ada');
  await page.goto(`${site.host}/hosted-link`);
  await new ChatPage(page).ready();

  await page.reload();

  await expect(page.getByRole('heading', { name: 'This page needs a fresh link' })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Back to/ })).toHaveAttribute(
    'href',
    new RegExp(site.host),
  );
});
