/** The diagnosis in a real browser finds the mistakes that the demo makes in its setup. */
import type { Page } from '@playwright/test';
import { ChatPage } from '../chat-page.ts';
import { expect, test } from '../fixtures.ts';
import { auditElement } from '../page-checks.ts';
import type { Site } from '../site.ts';

/** Page object of the toolbar with the failures and the diagnosis. */
async function toolbarOf(page: Page) {
  const toolbar = page.getByRole('complementary', { name: 'Failures' });
  const output = toolbar.getByRole('status');
  await toolbar.getByText('Failures', { exact: true }).click();
  return {
    toolbar,
    output,
    setup: toolbar.getByRole('combobox', { name: 'Setup' }),
    button: toolbar.getByRole('button', { name: 'Diagnose' }),
    /** Runs the diagnosis, and returns its report and the checks with a problem. */
    async diagnose() {
      await toolbar.getByRole('button', { name: 'Diagnose' }).click();
      await expect(output).toContainText('Inlay diagnosis of');
      const report = await output.innerText();
      const problems = report.match(/^(failed|warning) +\w+/gm) ?? [];
      return { report, problems: problems.map((line) => line.replace(/ +/, ' ')) };
    },
  };
}

/** Waits for the client of `/headless`, which shows its status. Without a client there is nothing to diagnose. */
async function clientCreated(page: Page) {
  await expect(page.locator('#status')).not.toBeEmpty();
}

async function open(site: Site, page: Page, path = '/npm') {
  await site.signIn(page.request, 'ada');
  await page.goto(`${site.host}${path}`);
  if (path === '/headless') await clientCreated(page);
  else await new ChatPage(page).ready();
  return toolbarOf(page);
}

test.afterEach(({ site, page }) => site.mistake(page.request, 'none'));

test('the diagnosis finds no problem on a working page, and creates no conversation', async ({
  site,
  page,
}) => {
  const { diagnose } = await open(site, page);
  // The field is shown before the requests for token and conversation are finished.
  await page.waitForLoadState('networkidle');
  const calls: string[] = [];
  page.on('request', (request) => calls.push(`${request.method()} ${request.url()}`));

  const { report, problems } = await diagnose();

  expect(problems).toEqual([]);
  expect(report.match(/^ok +\w+/gm)).toHaveLength(11);
  expect(calls.filter((call) => /sessions|chat-token/.test(call))).toEqual([]);
});

const mistakes = [
  ['token-error', 'token', '/api/chat-token, with 500.', 'network panel'],
  ['token-page', 'token', 'getToken failed', 'network panel'],
  ['token-foreign', 'token', 'does not know this token', 'the same platform'],
  ['proxy-buffer', 'streaming', 'all at once', 'proxy_buffering off'],
  ['proxy-hide', 'cors', 'may not read the response', 'Access-Control-Allow-Origin'],
  ['proxy-preflight', 'cors', 'a preflight', 'OPTIONS'],
  ['proxy-path', 'platform', 'not under', '/agent/v1'],
  ['proxy-gateway', 'platform', 'responded with 502', 'forwards requests'],
  ['origin-unknown', 'origin', 'may not use this agent', 'allowed_origins'],
] as const;

for (const [mistake, check, cause, remedy] of mistakes) {
  test(`the diagnosis finds the cause of the mistake "${mistake}"`, async ({ site, page }) => {
    const { setup, diagnose, output } = await open(site, page);

    await setup.selectOption(mistake);
    await expect(output).toHaveText(`The mistake is ${mistake}.`);
    const { report, problems } = await diagnose();

    expect(problems).toEqual([`failed ${check}`]);
    expect(report).toContain(cause);
    expect(report).toContain(remedy);

    await setup.selectOption('none');
    await expect(output).toHaveText('The mistake is none.');
    expect((await diagnose()).problems).toEqual([]);
  });
}

test('the console and the diagnosis report that the model fails', async ({ site, page }) => {
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  const { diagnose } = await open(site, page);
  await site.model(page.request, 'fail');
  const chat = new ChatPage(page);
  await chat.say('Where is my order?');
  await expect(page.getByText('The assistant couldn’t answer.').first()).toBeVisible();
  await expect.poll(() => errors.filter((text) => text.includes('model failed'))).toHaveLength(1);

  const { report, problems } = await diagnose();
  expect(problems).toEqual(['failed model']);
  expect(report).toContain('model call failed');

  await site.model(page.request, 'normal');
  expect((await diagnose()).problems).toEqual([]);
});

test('the console reports once that a proxy buffers streams', async ({ site, page }) => {
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  const { setup, output } = await open(site, page);
  await setup.selectOption('proxy-buffer');
  await expect(output).toHaveText('The mistake is proxy-buffer.');
  await site.model(page.request, 'slow');
  await new ChatPage(page).say('Where is my order?');

  // The client needs two streams without a first byte, of five seconds each.
  await expect
    .poll(() => errors.filter((text) => text.includes('buffers streams')), { timeout: 30_000 })
    .toHaveLength(1);
  expect(errors.join()).toContain('<inlay-chat> A proxy buffers streams');
});

test('the diagnosis names the CSP directive and the missing source', async ({ site, page }) => {
  const { setup, diagnose } = await open(site, page);

  await setup.selectOption('policy-without-platform');
  await expect(page).toHaveURL(/policy=without-platform/);
  const { report } = await diagnose();

  expect(report).toContain(`blocks requests to ${site.platform}`);
  expect(report).toContain(`connect-src 'self' ${site.platform}`);
  await setup.selectOption('none');
  await expect(page).not.toHaveURL(/policy/);
});

test('the diagnosis reports mixed content: an HTTPS page with an HTTP platform', async ({
  site,
  page,
}) => {
  const secure = 'https://vesper.example';
  await page.route(`${secure}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    const response = await route.fetch({ url: `${site.host}${pathname}` });
    const headers = Object.entries(response.headers()).map(
      ([name, value]) => [name, value.replaceAll(site.platform, 'http://chat.example')] as const,
    );
    const html = pathname === '/headless';
    await route.fulfill({
      response,
      headers: Object.fromEntries(headers),
      ...(html && {
        body: (await response.text()).replaceAll(site.platform, 'http://chat.example'),
      }),
    });
  });
  await page.goto(`${secure}/headless`);
  await clientCreated(page);
  const { diagnose } = await toolbarOf(page);

  expect((await diagnose()).report).toContain('mixed content');
});

test('the diagnosis reports the consequences of full storage', async ({ site, page }) => {
  const { diagnose } = await open(site, page);
  await page.evaluate(() => {
    for (let size = 1 << 23; size >= 1; size = Math.floor(size / 2)) {
      try {
        localStorage.setItem(`full-${size}`, 'x'.repeat(size));
      } catch {
        // This item exceeds the quota, so smaller ones follow.
      }
    }
  });

  const { report, problems } = await diagnose();

  expect(problems).toEqual(['warning storage']);
  expect(report).toContain('localStorage, which is full');
  await page.evaluate(() => localStorage.clear());
});

test('the diagnosis reports the consequences of blocked storage', async ({ site, page }) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        },
      });
    }
  });
  const { diagnose } = await open(site, page);

  const { report, problems } = await diagnose();

  expect(problems).toContain('warning storage');
  for (const text of [
    'localStorage and sessionStorage',
    'counts as a new visitor',
    'SecurityError',
  ])
    expect(report).toContain(text);
});

test('the diagnosis reports that the browser is offline, and finds no problem when the browser is online again', async ({
  site,
  page,
  context,
}) => {
  const { diagnose } = await open(site, page);
  await diagnose();
  await context.setOffline(true);

  expect((await diagnose()).report).toMatch(/^failed +platform +This browser is offline\./m);

  await context.setOffline(false);
  expect((await diagnose()).problems).toEqual([]);
});

test('the diagnosis can be run for a client without elements, and for an open launcher', async ({
  site,
  page,
}) => {
  const headless = await open(site, page, '/headless');
  expect((await headless.diagnose()).problems).toEqual([]);

  // The toolbar stays open on the next page.
  await page.goto(`${site.host}/script-tag`);
  await headless.button.click();
  await expect(headless.output).toHaveText(
    'Open the chat first. Until then there is nothing to diagnose.',
  );
  await page.getByRole('button', { name: 'Open chat' }).click();
  await new ChatPage(page).ready();
  expect((await headless.diagnose()).problems).toEqual([]);
});

test('the diagnosis contains no token', async ({ site, page }) => {
  const tokens = new Set<string>();
  page.on('request', (request) => {
    const header = request.headers().authorization;
    if (header) tokens.add(header.replace('Bearer ', ''));
  });
  const { diagnose } = await open(site, page);
  await expect.poll(() => tokens.size).toBeGreaterThan(0);

  const { report } = await diagnose();

  tokens.delete('et_diagnosis');
  for (const token of tokens) expect(report).not.toContain(token);
});

test('the toolbar passes the accessibility audit, and is narrow enough for a phone', async ({
  site,
  page,
}) => {
  const { toolbar, diagnose } = await open(site, page);
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 640 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await diagnose();
      expect(await auditElement(toolbar), `${width} ${colorScheme}`).toEqual([]);
    }
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
  }
});
