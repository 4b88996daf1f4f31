/** The hosted page: failed exchange of the link's code, expired token, and reload. */
import type { Page, Route } from '@playwright/test';
import { ChatPage } from '../chat-page.ts';
import { expect, test } from '../fixtures.ts';
import type { Site } from '../site.ts';

const problem = (route: Route, status: number, code: string) =>
  route.fulfill({
    status,
    headers: { 'retry-after': '2' },
    contentType: 'application/problem+json',
    json: {
      type: `/problems/${code}`,
      title: code,
      status,
      detail: 'Not now.',
      code,
      retryable: true,
      instance: 'prb_1',
    },
  });

const failures: Readonly<Record<string, (route: Route) => unknown>> = {
  'gets a 429': (route) => problem(route, 429, 'RATE_LIMITED'),
  'gets a 500': (route) => problem(route, 500, 'INTERNAL_ERROR'),
  'gets a web page': (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Portal</title>' }),
  'has no network': (route) => route.abort('internetdisconnected'),
  'gets no response': () => undefined,
};

/** Opens a new link whose exchange fails, on a page with a fake clock. */
async function openFailingLink(page: Page, site: Site, fail: (route: Route) => unknown) {
  const exchange = '**/agent/v1/embed/exchange';
  let attempts = 0;
  await site.signIn(page.request, 'ada');
  await page.clock.install();
  await page.route(exchange, (route) => {
    attempts += 1;
    return fail(route);
  });
  await page.goto(`${site.host}/hosted-link`);
  await expect.poll(() => attempts).toBeGreaterThan(0);
  return {
    attempts: () => attempts,
    stopFailing: () => page.unroute(exchange),
    /** Advances the clock of the page in steps, between which responses can arrive. */
    async advance(seconds: number) {
      for (let second = 0; second < seconds; second += 1) await page.clock.runFor(1000);
    },
  };
}

const waitingMessage = (page: Page) => page.getByRole('heading', { name: 'Still connecting' });
const expiredMessage = (page: Page) => page.getByRole('heading', { name: 'This link has expired' });

for (const [name, fail] of Object.entries(failures)) {
  test(`if the code exchange ${name}, a hosted page shows “Still connecting” within 5 seconds, retries for a minute, and links back to the host`, async ({
    site,
    page,
  }) => {
    const { advance, attempts } = await openFailingLink(page, site, fail);

    await advance(5);
    await expect(waitingMessage(page)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();

    await advance(66);
    await expect(expiredMessage(page)).toBeVisible();
    await expect(waitingMessage(page)).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Back to localhost' })).toHaveAttribute(
      'href',
      new RegExp(`^${site.host}`),
    );
    expect(attempts()).toBeGreaterThan(name === 'gets no response' ? 3 : 8);
    const before = attempts();
    await advance(60);
    expect(attempts()).toBe(before);
  });
}

test('a hosted page opens the conversation after an outage of 20 seconds', async ({
  site,
  page,
}) => {
  const { advance, stopFailing } = await openFailingLink(page, site, (route) => route.abort());
  await advance(20);
  await expect(waitingMessage(page)).toBeVisible();

  await stopFailing();
  await advance(6);

  await new ChatPage(page).ready();
  await expect(waitingMessage(page)).toHaveCount(0);
});

test('“Try again” on a hosted page skips the retry delay', async ({ site, page }) => {
  const { advance, stopFailing } = await openFailingLink(page, site, (route) =>
    route.fulfill({ status: 503, headers: { 'retry-after': '50' }, body: '' }),
  );
  await advance(5);
  await stopFailing();

  await page.getByRole('button', { name: 'Try again' }).click();

  await new ChatPage(page).ready();
});

test('a hosted page with an expired token shows that the session has ended, and links back to the host', async ({
  site,
  page,
}) => {
  await site.signIn(page.request, 'ada');
  await page.clock.install();
  await page.goto(`${site.host}/hosted-link`);
  const chat = new ChatPage(page);
  await chat.ready();
  await page.waitForLoadState('networkidle');

  await page.route('**/agent/v1/**', (route) => problem(route, 401, 'EMBED_TOKEN_EXPIRED'));
  await page.clock.fastForward('15:00');

  await expect(chat.status).toContainText('Your session has ended');
  await expect(chat.status).toContainText('go back to the page where you opened this chat');
  await expect(page.getByRole('link', { name: 'Back to localhost' })).toBeVisible();
  await expect(page.getByText(/reconnect|run out/i)).toHaveCount(0);
});

test('a reloaded hosted page links back to the host, whose next link opens the same conversation', async ({
  site,
  page,
}) => {
  await site.signIn(page.request, 'ada');
  await page.goto(`${site.host}/hosted`);
  await page.getByRole('main').getByRole('link').first().click();
  const chat = new ChatPage(page);
  await chat.ready();
  await chat.ask('The weather in Lisbon?');

  await page.reload();
  await expect(page.getByText(/Your conversation is saved/)).toBeVisible();
  await page.getByRole('link', { name: 'Back to localhost' }).click();
  await page.goto(`${site.host}/hosted-link`);

  await expect(chat.questions.first()).toContainText('The weather in Lisbon?');
});
