/** Connections of tabs that are hidden, cached and disconnected, counted by the fault proxy. */
import { chromium, type Page } from '@playwright/test';
import { chromiumLaunchOptions } from '../../scripts/find-chromium.mjs';
import { freePort } from '../../scripts/free-port.mjs';
import { type FaultProxy, startFaultProxy } from '../fault-proxy/fault-proxy.ts';
import { test as base, expect } from '../fixtures.ts';
import { Site } from '../site.ts';
import { openStrictChat } from '../strict-chat.ts';

const stream = /\/sessions\?|\/events\/stream/;

/** The demo behind a fault proxy. */
const test = base.extend<object, { faultProxy: FaultProxy; site: Site }>({
  faultProxy: [
    async ({ playwright: _ }, use) => {
      const port = await freePort();
      const faultProxy = await startFaultProxy({ target: `http://127.0.0.1:${port}` });
      await use(Object.assign(faultProxy, { platformPort: port }));
      await faultProxy.close();
    },
    { scope: 'worker' },
  ],
  site: [
    async ({ faultProxy }, use) => {
      const { platformPort } = faultProxy as FaultProxy & { platformPort: number };
      const site = await Site.start({
        PORT: String(platformPort),
        DEMO_PLATFORM_URL: faultProxy.url,
      });
      await use(site);
      await site.stop();
    },
    { scope: 'worker' },
  ],
});

/** Number of open streams at the proxy. */
const streamsOf = (faultProxy: FaultProxy) =>
  faultProxy.connections.flatMap(({ requests }) => requests).filter(({ path }) => stream.test(path))
    .length;

/** Hides or shows the page. A headless browser does not hide its tabs itself. */
const setVisibility = (page: Page, visibilityState: 'hidden' | 'visible') =>
  page.evaluate((state) => {
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
    Object.defineProperty(document, 'hidden', { value: state === 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, visibilityState);

test('S14: a tab that is repeatedly hidden and shown never has more than one stream', async ({
  chat,
  page,
  faultProxy,
}) => {
  await chat.ask('The weather in Lisbon?');
  const streamCounts: number[] = [];
  const toggle = async (times: number) => {
    for (let count = 0; count < times; count += 1) {
      await setVisibility(page, 'hidden');
      await setVisibility(page, 'visible');
      streamCounts.push(streamsOf(faultProxy));
    }
  };
  await toggle(20);
  // Cuts the connections again during the delay before the next attempt.
  faultProxy.cut('reset');
  await toggle(20);

  await expect.poll(() => streamsOf(faultProxy)).toBe(1);
  expect(Math.max(...streamCounts)).toBeLessThanOrEqual(1);
  await chat.ask('The weather in Lisbon?');
  await page.locator('inlay-chat').evaluate((element) => element.remove());
  await expect.poll(() => streamsOf(faultProxy)).toBe(0);
});

test('S15: the client reconnects as soon as the browser is online, although the old connection is half-open', async ({
  chat,
  context,
  site,
  page,
  faultProxy,
}) => {
  await site.model(page.request, 'slow');
  await chat.say('The weather in Lisbon?');
  await chat.streaming();
  // The browser does not detect the cut, and keeps the stream open.
  faultProxy.cut('half-open', ({ requests }) => requests.some(({ path }) => stream.test(path)));
  await context.setOffline(true);
  await expect(chat.status).toContainText('You’re offline');

  await page.evaluate(() => {
    addEventListener('online', () => {
      document.documentElement.dataset.onlineAt = String(Date.now());
    });
  });
  const next = faultProxy.nextRequest({ path: '/events/stream' }).then(() => Date.now());
  await context.setOffline(false);
  await expect(page.locator('html')).toHaveAttribute('data-online-at', /\d/);
  const online = Number(await page.locator('html').getAttribute('data-online-at'));

  expect((await next) - online).toBeLessThan(3_000);
  await expect(chat.answers.last()).toContainText('Take sunglasses.');
  expect(streamsOf(faultProxy)).toBe(1);
});

test('S15: a page that is restored from the back/forward cache reconnects once, immediately', async ({
  site,
  faultProxy,
}) => {
  const launch = chromiumLaunchOptions();
  const browser = await chromium.launch({
    ...launch,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
  const page = await (await browser.newContext()).newPage();
  await site.signIn(page.request, 'ada');
  // The pages of the demo are `no-store`, which excludes them from the cache.
  const chat = await openStrictChat(page, site, '/kept');
  await chat.ask('The weather in Lisbon?');
  await page.evaluate(() => {
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) document.documentElement.dataset.restoredAt = String(Date.now());
    });
  });
  await page.goto(`${site.host}/`);
  faultProxy.cut('half-open', ({ requests }) => requests.some(({ path }) => stream.test(path)));

  const next = faultProxy.nextRequest({ path: '/events/stream' }).then(() => Date.now());
  // `goBack()` waits for a load event, which a restored page does not have.
  await page.evaluate(() => history.back());
  await expect(page.locator('html')).toHaveAttribute('data-restored-at', /\d/);
  const restored = Number(await page.locator('html').getAttribute('data-restored-at'));

  expect((await next) - restored).toBeLessThan(5_000);
  await chat.ask('The seasons as a table, please');
  await expect(chat.questions).toHaveCount(2);
  expect(streamsOf(faultProxy)).toBe(1);
  await browser.close();
});

test('after an outage, “Reconnect now” reconnects the stream immediately', async ({
  chat,
  page,
  faultProxy,
}) => {
  await chat.ask('The weather in Lisbon?');
  const reconnectButton = page.getByRole('button', { name: 'Reconnect now' });
  const refused = faultProxy.counts.refused;
  await page.clock.install();
  // The browser is online, so only a request can show that the platform is back.
  faultProxy.goOffline('reset');
  await expect(reconnectButton).toBeVisible();
  await expect.poll(() => faultProxy.counts.refused - refused).toBeGreaterThan(0);
  // Stops the timers of the page, so that only the user can cause a reconnection.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
  faultProxy.goOnline();

  await reconnectButton.click();
  await expect.poll(() => streamsOf(faultProxy)).toBe(1);
  await page.clock.resume();
  await expect(reconnectButton).toHaveCount(0);
  await chat.ask('The seasons as a table, please');
});

test('after an outage, sending a message reconnects the stream', async ({
  chat,
  page,
  faultProxy,
}) => {
  await chat.ask('The weather in Lisbon?');
  const reconnectButton = page.getByRole('button', { name: 'Reconnect now' });
  const refused = faultProxy.counts.refused;
  await page.clock.install();
  faultProxy.goOffline('reset');
  await expect(reconnectButton).toBeVisible();
  await expect.poll(() => faultProxy.counts.refused - refused).toBeGreaterThan(0);
  // Stops the timers of the page, so that only the user can cause a reconnection.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
  faultProxy.goOnline();

  await chat.say('The seasons as a table, please');
  await expect.poll(() => streamsOf(faultProxy)).toBe(1);
  await page.clock.resume();
  await expect(reconnectButton).toHaveCount(0);
  await expect(chat.questions).toHaveCount(2);
});
