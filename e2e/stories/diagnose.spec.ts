/** The diagnosis in a real browser finds the failures that the developer panel of the demo causes. */
import type { Page } from '@playwright/test';
import { ChatPage } from '../chat-page.ts';
import { expect, test } from '../fixtures.ts';
import { auditElement } from '../page-checks.ts';
import type { Site } from '../site.ts';

/** Page object of the developer panel. */
function panelOf(page: Page) {
  const panel = page.getByRole('region', { name: 'Developer panel' });
  const result = panel.getByRole('status');
  return {
    panel,
    result,
    check: (name: string) =>
      panel.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) }),
    async selectFailure(label: string): Promise<void> {
      await panel.getByRole('combobox', { name: 'Failure' }).selectOption({ label });
    },
    async diagnose(): Promise<void> {
      await panel.getByRole('button', { name: 'Diagnose' }).click();
      await expect(result).toHaveText(/^No problems|^Problem found|Warnings/);
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
  return panelOf(page);
}

test.afterEach(async ({ site, page }) => {
  await page.request.post(`${site.host}/playground/failure`, {
    data: { failure: 'none' },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
});

test('the diagnosis finds no problem on a working page, and creates no conversation', async ({
  site,
  page,
}) => {
  const { result, diagnose, panel } = await open(site, page);
  // The field is shown before the requests for token and conversation are finished.
  await page.waitForLoadState('networkidle');
  const calls: string[] = [];
  page.on('request', (request) => calls.push(`${request.method()} ${request.url()}`));

  await diagnose();

  await expect(result).toHaveText('No problems found.');
  await expect(panel.getByRole('listitem')).toHaveCount(10);
  expect(calls.filter((call) => /sessions|chat-token/.test(call))).toEqual([]);
});

const failures = [
  ['Responds with 500', 'Token', '/api/chat-token, with 500.', 'network panel'],
  ['Responds with a sign-in page', 'Token', 'getToken failed', 'network panel'],
  ['Issues a token of another platform', 'Token', 'does not know this token', 'the same platform'],
  ['Buffers streams', 'Streaming', 'all at once', 'proxy_buffering off'],
  ['Removes CORS headers', 'CORS', 'may not read the response', 'Access-Control-Allow-Origin'],
  ['Rejects preflight requests', 'CORS', 'a preflight', 'OPTIONS'],
  ['Does not forward /agent', 'Platform', 'not under', '/agent/v1'],
  ['Cannot reach the platform', 'Platform', 'responded with 502', 'forwards requests'],
  ['The agent does not allow this origin', 'Origin', 'may not use this agent', 'allowed_origins'],
] as const;

for (const [label, name, cause, remedy] of failures) {
  test(`the diagnosis finds the cause of the failure "${label}"`, async ({ site, page }) => {
    const { selectFailure, diagnose, result, check } = await open(site, page);

    await selectFailure(label);
    await expect(result).toHaveText('The failure is active on all pages.');
    await diagnose();

    await expect(result).toHaveText(`Problem found: ${name}.`);
    await expect(check(name)).toContainText('failed');
    await expect(check(name)).toContainText(cause);
    await expect(check(name)).toContainText(remedy);

    await selectFailure('none');
    await expect(result).toHaveText('No failure is active.');
    await diagnose();
    await expect(result).toHaveText('No problems found.');
  });
}

test('the diagnosis names the CSP directive and the missing source', async ({ site, page }) => {
  const { selectFailure, diagnose, check } = await open(site, page);

  await selectFailure('The page’s CSP does not allow the platform');
  await expect(page).toHaveURL(/policy=without-platform/);
  await diagnose();

  await expect(check('CSP')).toContainText(`blocks requests to ${site.platform}`);
  await expect(check('CSP')).toContainText(`connect-src 'self' ${site.platform}`);
  await selectFailure('none');
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
  const { diagnose, check } = panelOf(page);

  await diagnose();

  await expect(check('Platform')).toContainText('mixed content');
});

test('the diagnosis reports the consequences of full storage', async ({ site, page }) => {
  const { diagnose, result, check } = await open(site, page);
  await page.evaluate(() => {
    for (let size = 1 << 23; size >= 1; size = Math.floor(size / 2)) {
      try {
        localStorage.setItem(`full-${size}`, 'x'.repeat(size));
      } catch {
        // This item exceeds the quota, so smaller ones follow.
      }
    }
  });

  await diagnose();

  await expect(result).toHaveText('The chat works. Warnings: Storage.');
  await expect(check('Storage')).toContainText('localStorage, which is full');
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
  const { diagnose, check } = await open(site, page);

  await diagnose();

  await expect(check('Storage')).toContainText('localStorage and sessionStorage');
  await expect(check('Storage')).toContainText('counts as a new visitor');
  await expect(check('Storage')).toContainText('SecurityError');
});

test('the diagnosis reports that the browser is offline, and finds no problem when the browser is online again', async ({
  site,
  page,
  context,
}) => {
  const { diagnose, result, check } = await open(site, page);
  await diagnose();
  await context.setOffline(true);

  await diagnose();
  await expect(check('Platform')).toContainText('This browser is offline.');

  await context.setOffline(false);
  await diagnose();
  await expect(result).toHaveText('No problems found.');
});

test('the diagnosis can be run for a client without elements, and for an open launcher', async ({
  site,
  page,
}) => {
  const headless = await open(site, page, '/headless');
  await headless.diagnose();
  await expect(headless.result).toHaveText('No problems found.');

  await page.goto(`${site.host}/script-tag`);
  const { panel, result, diagnose } = panelOf(page);
  await panel.getByRole('button', { name: 'Diagnose' }).click();
  await expect(result).toHaveText('Open the chat first. Until then there is nothing to diagnose.');
  await page.getByRole('button', { name: 'Open chat' }).click();
  await new ChatPage(page).ready();
  await diagnose();
  await expect(result).toHaveText('No problems found.');
});

test('the panel shows diagnostics of the client live, without secrets', async ({ site, page }) => {
  const tokens = new Set<string>();
  page.on('request', (request) => {
    const header = request.headers().authorization;
    if (header) tokens.add(header.replace('Bearer ', ''));
  });
  const { panel, selectFailure, diagnose } = await open(site, page);
  // Waits until the chat has a token that the platform has accepted.
  await expect.poll(() => tokens.size).toBeGreaterThan(0);

  await selectFailure('Responds with 500');
  await expect(panel.getByRole('log')).toContainText('token_retry code: TOKEN_UNAVAILABLE');
  await expect(panel).toContainText('Access');
  await diagnose();

  tokens.delete('et_diagnosis');
  expect(tokens.size).toBeGreaterThan(0);
  const shown = await panel.innerText();
  for (const token of tokens) expect(shown).not.toContain(token);
});

test('the panel can be used with the keyboard alone, and passes the accessibility audit', async ({
  site,
  page,
}) => {
  const { panel, result, diagnose } = await open(site, page);
  // A page that is still loading can read a stream too late, which looks like buffering.
  await page.waitForLoadState('networkidle');

  await page
    .getByRole('group', { name: 'Developer' })
    .getByRole('button', { name: 'Diagnose' })
    .press('Enter');
  await expect(panel.getByRole('heading', { level: 2 })).toBeFocused();
  await expect(result).toHaveText('No problems found.');
  await page.keyboard.press('Tab');
  await expect(panel.getByRole('combobox', { name: 'Failure' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(panel.getByRole('button', { name: 'Diagnose' })).toBeFocused();

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await diagnose();
    expect(await auditElement(page.locator('.developer')), colorScheme).toEqual([]);
  }
});
