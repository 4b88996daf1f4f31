/** The inspector records every chat of a page: tokens, streams and requests, without secrets. */
import type { Page } from '@playwright/test';
import { ChatPage } from '../chat-page.ts';
import { expect, test } from '../fixtures.ts';
import { auditElement } from '../page-checks.ts';
import type { Site } from '../site.ts';

/** Page object of the inspector. */
function inspectorOf(page: Page) {
  const panel = page.getByRole('region', { name: 'Inlay inspector' });
  return {
    panel,
    row: (text: string | RegExp) => panel.getByRole('row').filter({ hasText: text }),
    rows: panel.getByRole('row').filter({ has: page.getByRole('cell') }),
    button: (name: string | RegExp) => panel.getByRole('button', { name }),
  };
}

async function open(site: Site, page: Page, path: string) {
  await site.signIn(page.request, 'ada');
  await page.goto(`${site.host}${path}?inspect`);
  const inspector = inspectorOf(page);
  await expect(inspector.panel).toBeVisible();
  return inspector;
}

/** Collects every token that the page receives or sends. */
function collectTokens(page: Page): Set<string> {
  const tokens = new Set<string>();
  page.on('request', (request) => {
    const header = request.headers().authorization;
    if (header) tokens.add(header.replace('Bearer ', ''));
  });
  return tokens;
}

test('the inspector shows the tokens of inlay-chat: first use, refresh, expiry and revocation', async ({
  site,
  page,
}) => {
  const tokens = collectTokens(page);
  const { panel, row } = await open(site, page, '/npm');
  const chat = new ChatPage(page);
  await chat.ready();
  // A new token after the inspector was opened.
  await page.evaluate(() => document.querySelector('inlay-chat')?.reset());
  await chat.ask('The weather in Lisbon?');
  await expect(row(/Token \d+ issued/).first()).toBeVisible();
  await expect(row(/Token \d+ accepted/).first()).toContainText(/Valid for (9|10) min/);
  await expect(row('Access: ok').first()).toBeVisible();

  await site.control(page.request, 'expire');
  await chat.ask('The seasons as a table, please');
  await expect(row(/Token \d+ expired \(401\)/).first()).toContainText('EMBED_TOKEN_EXPIRED');
  await expect(row(/issued \(refresh\)/).first()).toBeVisible();

  await site.control(page.request, 'revoke');
  await chat.ask('The weather in Lisbon?');
  await expect(row(/Token \d+ revoked \(401\)/).first()).toContainText('EMBED_TOKEN_REVOKED');

  await site.control(page.request, 'block');
  await expect(chat.status).toBeVisible();
  await expect(row(/Access: revoked/).first()).toBeVisible();

  const shown = await panel.innerText();
  expect(tokens.size).toBeGreaterThan(2);
  for (const secret of [...tokens, 'weather in Lisbon', 'sunglasses', 'ada']) {
    expect(shown).not.toContain(secret);
  }
});

test('the inspector shows the streams of inlay-chat: events, disconnects and resumes', async ({
  site,
  page,
}) => {
  const { row } = await open(site, page, '/npm');
  const chat = new ChatPage(page);
  await chat.ready();
  await site.model(page.request, 'slow');
  await chat.say('The weather in Lisbon?');
  await chat.streaming();
  await expect(row(/Stream \d+ opened/).first()).toBeVisible();
  await expect(row(/event_delta( ×\d+)?/).first()).toContainText(/Stream \d+ · live/);

  await site.network(page.request, 'cut');
  await expect(row(/Stream \d+ disconnected/).first()).toContainText(/Open for/);
  await expect(row(/Stream reconnects in/).first()).toBeVisible();
  await site.network(page.request, 'up');

  await expect(chat.answers.last()).toContainText('Take sunglasses.');
  await expect(row(/Stream \d+ resumed/).first()).toContainText(/After event \d+/);
  await expect(row(/20\d POST \/sessions/).first()).toContainText(/ms/);
});

test('the inspector records a launcher with its own client', async ({ site, page }) => {
  const { row } = await open(site, page, '/npm');
  await new ChatPage(page).ready();
  await page.evaluate(() => {
    const chat = document.querySelector('inlay-chat');
    const launcher = document.createElement('inlay-launcher');
    launcher.baseUrl = chat?.baseUrl ?? '';
    launcher.tokenUrl = '/api/chat-token';
    chat?.remove();
    document.body.append(launcher);
    launcher.show();
  });
  const chat = new ChatPage(page);
  await chat.ready();
  await chat.ask('The weather in Lisbon?');

  await expect(row('Token 1 issued').last()).toBeVisible();
  await expect(row(/20\d POST \/sessions/).first()).toBeVisible();
});

test('the inspector records the chat of a script tag with its own copy of the client', async ({
  site,
  page,
}) => {
  const tokens = collectTokens(page);
  const { panel, row } = await open(site, page, '/script-tag');
  await page.getByRole('button', { name: 'Open chat' }).click();
  const chat = new ChatPage(page);
  await chat.ready();
  await chat.ask('The weather in Lisbon?');

  await expect(row('Token 1 issued')).toBeVisible();
  await expect(row('Token 1 accepted').first()).toBeVisible();
  await expect(row(/Stream \d+ opened/).first()).toBeVisible();
  await expect(row('agent.message').first()).toBeVisible();
  const shown = await panel.innerText();
  expect(tokens.size).toBeGreaterThan(0);
  for (const secret of [...tokens, 'Lisbon']) expect(shown).not.toContain(secret);
});

test('the inspector can be filtered, paused, copied, cleared and closed with the keyboard alone', async ({
  site,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const tokens = collectTokens(page);
  const { panel, rows, button } = await open(site, page, '/npm');
  const chat = new ChatPage(page);
  await chat.ready();
  await chat.ask('The weather in Lisbon?');

  await button(/^Token \d+$/).press('Enter');
  await expect(button(/^Token \d+$/)).toHaveAttribute('aria-pressed', 'true');
  await expect(panel.locator('[data-lane="requests"]')).toHaveCount(0);
  await button(/^All \d+$/).press('Enter');
  await expect(panel.locator('[data-lane="requests"]')).not.toHaveCount(0);

  await button('Pause').press('Enter');
  const paused = await rows.count();
  await chat.ask('The seasons as a table, please');
  await expect(rows).toHaveCount(paused);
  await button('Resume').press('Enter');

  await button('Copy JSON').press('Enter');
  await expect(panel.getByRole('status')).toHaveText('Copied');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const { entries } = JSON.parse(copied) as { entries: { type: string }[] };
  expect(entries.map(({ type }) => type)).toContain('request');
  for (const secret of [...tokens, 'Lisbon']) expect(copied).not.toContain(secret);

  // The timeline scrolls with the keyboard, and its column headers stay in view.
  const timeline = panel.getByRole('group', { name: 'Timeline' });
  await expect(panel.getByRole('columnheader', { name: 'Time' })).toBeInViewport();
  await timeline.focus();
  await page.keyboard.press('Home');
  await expect(rows.first()).toBeInViewport();

  await button('Clear').press('Enter');
  await expect(panel).toContainText('Waiting for activity of the chat.');
  await button('Timeline').press('Enter');
  await expect(button('Timeline')).toHaveAttribute('aria-expanded', 'false');
  await expect(panel.getByRole('group', { name: 'Timeline' })).toBeHidden();
  await button('Close').press('Enter');
  await expect(panel).toHaveCount(0);
});

test('the inspector passes the accessibility audit, and on a phone has one line of buttons and two lines per row', async ({
  site,
  page,
}) => {
  const { panel, rows, button } = await open(site, page, '/npm');
  const chat = new ChatPage(page);
  await chat.ready();
  await chat.ask('The weather in Lisbon?');
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 700 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await auditElement(panel), `${width} ${colorScheme}`).toEqual([]);
    }
  }

  const tops = await Promise.all(
    ['Pause', 'Clear', 'Copy JSON', 'Timeline', 'Close'].map(async (name) => {
      const box = await button(name).boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0), name).toBeLessThanOrEqual(320);
      return Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2);
    }),
  );
  expect(new Set(tops).size).toBe(1);
  const heights = await rows.evaluateAll((all) =>
    all.filter(({ dataset }) => dataset?.lane === 'token').map((row) => row.clientHeight),
  );
  expect(heights.length).toBeGreaterThan(0);
  // Two lines of 18 pixels, and the padding.
  expect(Math.max(...heights)).toBeLessThanOrEqual(52);
});
