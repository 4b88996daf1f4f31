/** Tabs that are hidden, put away and cut off: counted where the connections are. */
import { chromium, type Page } from '@playwright/test';
import { chromiumLaunchOptions } from '../../scripts/find-chromium.mjs';
import { type FaultProxy, startFaultProxy } from '../fault-proxy/fault-proxy.ts';
import { test as base, expect } from '../fixtures.ts';
import { freePort } from '../free-port.ts';
import { Site } from '../site.ts';
import { openStrictChat } from '../strict-chat.ts';

const stream = /\/sessions\?|\/events\/stream/;

/** A demo behind a fault proxy. */
const test = base.extend<object, { way: FaultProxy; site: Site }>({
  way: [
    async ({ playwright: _ }, use) => {
      const port = await freePort();
      const way = await startFaultProxy({ target: `http://127.0.0.1:${port}` });
      await use(Object.assign(way, { platformPort: port }));
      await way.close();
    },
    { scope: 'worker' },
  ],
  site: [
    async ({ way }, use) => {
      const { platformPort } = way as FaultProxy & { platformPort: number };
      const site = await Site.start({
        PORT: String(platformPort),
        DEMO_PLATFORM_URL: way.url,
      });
      await use(site);
      await site.stop();
    },
    { scope: 'worker' },
  ],
});

/** How many streams are open, seen from the network. */
const streamsOf = (way: FaultProxy) =>
  way.connections.flatMap(({ requests }) => requests).filter(({ path }) => stream.test(path))
    .length;

/** Hides and shows the page. A browser without a screen hides none of its tabs by itself. */
const look = (page: Page, visibilityState: 'hidden' | 'visible') =>
  page.evaluate((state) => {
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
    Object.defineProperty(document, 'hidden', { value: state === 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, visibilityState);

test('S14: a tab that is hidden and shown twenty times has one connection at most', async ({
  chat,
  page,
  way,
}) => {
  await chat.ask('The weather in Lisbon?');
  const counted: number[] = [];
  const toggle = async (times: number) => {
    for (let count = 0; count < times; count += 1) {
      await look(page, 'hidden');
      await look(page, 'visible');
      counted.push(streamsOf(way));
    }
  };
  await toggle(20);
  // Again while the next attempt waits for its turn.
  way.cut('reset');
  await toggle(20);

  await expect.poll(() => streamsOf(way)).toBe(1);
  expect(Math.max(...counted)).toBeLessThanOrEqual(1);
  await chat.ask('The weather in Lisbon?');
  await page.locator('inlay-chat').evaluate((element) => element.remove());
  await expect.poll(() => streamsOf(way)).toBe(0);
});

test('S15: a network that comes back is used within a second, though the old read never ends', async ({
  chat,
  context,
  site,
  page,
  way,
}) => {
  await site.model(page.request, 'slow');
  await chat.say('The weather in Lisbon?');
  await chat.streaming();
  // Nobody is told: to the browser, the stream is open.
  way.cut('half-open', ({ requests }) => requests.some(({ path }) => stream.test(path)));
  await context.setOffline(true);
  await expect(chat.status).toContainText('You are offline');

  await page.evaluate(() => {
    addEventListener('online', () => {
      document.documentElement.dataset.onlineAt = String(Date.now());
    });
  });
  const next = way.nextRequest({ path: '/events/stream' }).then(() => Date.now());
  await context.setOffline(false);
  await expect(page.locator('html')).toHaveAttribute('data-online-at', /\d/);
  const online = Number(await page.locator('html').getAttribute('data-online-at'));

  expect((await next) - online).toBeLessThan(1_000);
  await expect(chat.answers.last()).toContainText('Take sunglasses.', { timeout: 30_000 });
  expect(streamsOf(way)).toBe(1);
});

test('S15: a page that comes back from the cache makes one new attempt within a second', async ({
  site,
  way,
}) => {
  const launch = chromiumLaunchOptions();
  const browser = await chromium.launch({
    ...launch,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
  const page = await (await browser.newContext()).newPage();
  await site.signIn(page.request, 'ada');
  // A page that may be kept: those of the demo are `no-store`, which browsers put away for good.
  const chat = await openStrictChat(page, site, '/kept');
  await chat.ask('The weather in Lisbon?');
  await page.evaluate(() => {
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) document.documentElement.dataset.restoredAt = String(Date.now());
    });
  });
  await page.goto(`${site.host}/`);
  way.cut('half-open', ({ requests }) => requests.some(({ path }) => stream.test(path)));

  const next = way.nextRequest({ path: '/events/stream' }).then(() => Date.now());
  // `goBack` waits for a load, and a page from the cache has none.
  await page.evaluate(() => history.back());
  await expect(page.locator('html')).toHaveAttribute('data-restored-at', /\d/);
  const restored = Number(await page.locator('html').getAttribute('data-restored-at'));

  expect((await next) - restored).toBeLessThan(1_000);
  await chat.ask('The seasons as a table, please');
  await expect(chat.questions).toHaveCount(2);
  expect(streamsOf(way)).toBe(1);
  await browser.close();
});

test('a platform that is back is used at once when the person wants it', async ({
  chat,
  page,
  way,
}) => {
  await chat.ask('The weather in Lisbon?');
  const now = page.getByRole('button', { name: 'Reconnect now' });
  // The browser says that there is a network: nothing but attempts can show that it is back.
  way.goOffline('reset');
  await expect(now).toBeVisible();
  const refused = way.counts.refused;
  await expect.poll(() => way.counts.refused - refused).toBeGreaterThan(1);
  way.goOnline();

  await now.click();
  await expect(now).toHaveCount(0, { timeout: 3_000 });
  await expect.poll(() => streamsOf(way)).toBe(1);
  await chat.ask('The seasons as a table, please');
});

test('the first request that is answered again brings the stream back', async ({
  chat,
  page,
  way,
}) => {
  await chat.ask('The weather in Lisbon?');
  const now = page.getByRole('button', { name: 'Reconnect now' });
  way.goOffline('reset');
  await expect(now).toBeVisible();
  const refused = way.counts.refused;
  await expect.poll(() => way.counts.refused - refused).toBeGreaterThan(1);
  way.goOnline();

  await chat.say('The seasons as a table, please');
  await expect(now).toHaveCount(0, { timeout: 3_000 });
  await expect(chat.questions).toHaveCount(2);
});
