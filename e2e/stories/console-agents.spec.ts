/** The way of an operator from a new agent to the chat on a page. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ChatPage } from '../chat-page.ts';
import { saveForm, signInToConsole } from '../console-page.ts';
import { expect, test } from '../fixtures.ts';
import { recordViolations } from '../page-checks.ts';

test('an operator creates an agent with the keyboard, and its script tag works on a page', async ({
  site,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const violations = await recordViolations(page);
  await signInToConsole(page, site);
  await page.getByRole('link', { name: 'Agents' }).press('Enter');
  await page.getByRole('link', { name: 'New agent' }).press('Enter');
  await page.getByLabel('Name').fill('Returns');
  await page.getByLabel('Short id').fill('Returns!');
  await page.getByLabel('Model').fill('{ "provider": "scripted" ');
  await page.getByLabel('Model').press('Escape');
  await page.getByRole('button', { name: 'Create agent' }).press('Enter');
  await expect(page.getByText(/^Is not valid JSON/)).toBeVisible();
  await expect(page.getByLabel('Model')).toBeFocused();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('}');
  await page.getByRole('button', { name: 'Create agent' }).press('Enter');
  await expect(page.getByText('Must be lower-case letters, digits and -.')).toBeVisible();
  await expect(page.getByLabel('Short id')).toBeFocused();
  await page.getByLabel('Short id').fill('returns');
  await page.keyboard.press('Enter');

  await page.getByRole('button', { name: 'Create the policy' }).press('Enter');
  await page.getByLabel('Allowed origins').fill('http://localhost:*\nexample.com');
  await page.getByRole('button', { name: 'Save changes' }).press('Enter');
  const origins = page.getByLabel('Allowed origins');
  await expect(origins).toBeFocused();
  await expect(origins).toHaveAccessibleDescription(/“example\.com” must be/);
  await origins.fill('http://localhost:*');
  await saveForm(page, 'Saved.');

  await page.getByRole('link', { name: 'Publishable keys' }).press('Enter');
  await expect(page.getByText('No publishable keys.')).toBeVisible();
  await page.getByRole('link', { name: 'Create one' }).press('Enter');
  await page.getByLabel('Name').fill('Shop');
  await page.getByLabel('Name').press('Enter');
  await expect(page.getByRole('heading', { name: 'Shop' })).toBeVisible();
  await page.getByRole('link', { name: 'Put it on your site' }).press('Enter');
  await page.getByRole('button', { name: 'Copy: Script tag, Page' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Copied: Script tag, Page' })).toBeVisible();
  const snippet = await page.evaluate(() => navigator.clipboard.readText());
  expect(violations).toEqual([]);

  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><html lang="en"><title>Shop</title><body>${snippet}</body></html>`,
    );
  }).listen(0);
  await once(server, 'listening');
  const shop = await context.newPage();
  await shop.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
  await shop.getByRole('button', { name: 'Open chat' }).click();
  await expect(shop.getByText('Returns')).toBeVisible();
  await new ChatPage(shop).ask('Hello');
  await shop.close();
  server.close();
  await page.goto(`${site.platform}/console/agents/returns/keys`);
  await expect(page.getByRole('row', { name: /Shop/ })).toContainText('1 of 1,000');

  page.once('dialog', (dialog) => dialog.accept());
  await page.getByRole('button', { name: 'Archive' }).press('Enter');
  await expect(page.getByText('archived')).toBeVisible();
  await page.locator('body').press('Escape');
  await expect(page.getByRole('heading', { name: 'Agents' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Vesper night desk' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Returns' })).toHaveCount(0);
  await page.getByLabel('Archived').selectOption('Shown');
  await expect(page.getByRole('link', { name: 'Returns' })).toBeVisible();
});
