/** The console with 100,000 conversations. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { test as base, expect } from '../fixtures.ts';
import { auditElement } from '../page-checks.ts';
import { Site } from '../site.ts';

const test = base.extend<object, { site: Site }>({
  site: [
    async ({ playwright: _ }, use) => {
      const data = mkdtempSync(join(tmpdir(), 'inlay-e2e-'));
      const seed = resolve('e2e/seed-conversations.ts');
      execFileSync(process.execPath, ['--conditions=source', '--import', 'tsx', seed, data]);
      const site = await Site.start({ INLAY_DATA: data });
      await use(site);
      await site.stop();
      rmSync(data, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
});
// One worker seeds the conversations once.
test.describe.configure({ mode: 'default' });

async function open(page: Page, site: Site) {
  await page.request.post(`${site.platform}/console/api/session`, {
    data: { name: 'admin', password: site.adminSecret },
    headers: { origin: site.platform },
  });
  const rows = page.locator('main tbody tr, main .feedback li');
  const loaded = async () => {
    await expect(rows.first()).toBeVisible();
    await expect(page.getByText('Loading…')).toHaveCount(0);
    expect(await rows.count()).toBeLessThanOrEqual(60);
  };
  return {
    rows,
    loaded,
    async show(path: string) {
      await page.goto(`${site.platform}/console/${path}`);
      await loaded();
    },
  };
}

for (const [device, viewport] of [
  ['a desktop', { width: 1280, height: 800 }],
  ['a phone', { width: 390, height: 844 }],
] as const) {
  test(`the lists of 100,000 conversations have at most 60 rows and no accessibility violations on ${device}`, async ({
    site,
    page,
  }) => {
    const { show } = await open(page, site);
    await page.setViewportSize(viewport);
    for (const path of [
      'overview?days=30',
      'conversations',
      'feedback',
      'people',
      'tokens',
      'usage?days=90&group_by=day&then_by=agent',
    ]) {
      await show(path);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await auditElement(page.locator('html')), path).toEqual([]);
      }
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, path).toBe(viewport.width);
    }
  });
}

test('the overview takes at most 6 requests and 120 kB, and its numbers lead to the lists', async ({
  site,
  page,
}) => {
  const { rows, show, loaded } = await open(page, site);
  await show('');
  const loads = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map((entry) => (entry.toJSON() as PerformanceResourceTiming).encodedBodySize),
  );
  expect(loads.length + 1).toBeLessThanOrEqual(6);
  expect(loads.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(120_000);

  await page.getByRole('link', { name: 'Failed' }).click();
  await expect(page).toHaveURL(/conversations\?outcome=failed&active_after=/);
  await loaded();
  await expect(rows.first()).toContainText('Where is order 000049?');
});

test('an operator filters and pages through 100,000 conversations, and opens one with the keyboard', async ({
  site,
  page,
}) => {
  const { rows, show, loaded } = await open(page, site);
  await show('conversations');
  await page.getByRole('link', { name: 'Older' }).click();
  await expect(rows.first()).toContainText('Where is order 000050?');
  await page.getByRole('link', { name: 'Newest' }).click();
  await expect(rows.first()).toContainText('Where is order 000000?');
  await page.getByLabel('Rating').selectOption('Bad');
  await expect(rows.first()).toContainText('Where is order 000024?');
  await page.locator('body').press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Where is order 000024?');
  await expect(page.locator('inlay-agent-message')).toContainText('It arrives on Friday.');
  await page.locator('main').press('Escape');
  await loaded();
  await page.getByLabel('User').fill('user-33000');
  await page.getByLabel('User').press('Enter');
  await expect(rows).toHaveCount(3);

  await show('people');
  await page.getByLabel('Id begins with').fill('user-998');
  await page.getByLabel('Id begins with').press('Enter');
  await expect(rows.first()).toContainText('user-998');
  await show('feedback?rating=down');
  await page.getByRole('link', { name: 'Older' }).click();
  await loaded();
  await show('tokens');
  await page.getByLabel('Status').selectOption('Revoked');
  await expect(page.getByRole('cell', { name: 'Revoked', exact: true })).toHaveCount(50);
  await show('usage?days=90&group_by=day&then_by=agent');
  await page.getByRole('link', { name: 'Next rows' }).click();
  await expect(page.getByRole('link', { name: 'First rows' })).toBeVisible();
  await loaded();
});
