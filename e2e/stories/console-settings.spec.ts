/** The pages of the console for webhooks, API keys and operators. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { signInToConsole, widthOf } from '../console-page.ts';
import { expect, test } from '../fixtures.ts';
import { auditElement } from '../page-checks.ts';

/** Starts a receiver of webhooks, which refuses the events until `accept` is called. */
async function startReceiver() {
  let status = 500;
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(status).end(`Answer ${status}`));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    accept() {
      status = 200;
    },
    close: () => server.close(),
  };
}

/** Reads the secret that the dialog shows once, and closes the dialog. */
async function takeSecret(page: Page): Promise<string> {
  const secret = await page.getByRole('dialog').getByRole('textbox').inputValue();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  return secret;
}

test('an operator creates an API key, rotates it, and revokes it', async ({ site, page }) => {
  const name = `backend ${randomUUID()}`;
  page.on('dialog', (dialog) => dialog.accept());
  await signInToConsole(page, site);
  await page.getByRole('link', { name: 'API keys' }).click();
  const statusOf = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` };
    return (await page.request.get(`${site.platform}/agent/v1/agents`, { headers })).status();
  };

  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill(name);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Your new API key' })).toBeVisible();
  const first = await takeSecret(page);
  expect(await statusOf(first)).toBe(200);
  await expect(page.getByRole('button', { name: 'Create key' })).toBeFocused();

  const rows = page.getByRole('row').filter({ hasText: name });
  await rows.getByRole('button', { name: 'Rotate' }).click();
  await page.getByLabel('The old key works').selectOption('0');
  await page.getByRole('button', { name: 'Rotate key' }).click();
  await expect(page.getByRole('dialog', { name: 'Your new API key' })).toBeVisible();
  const second = await takeSecret(page);
  expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
  await rows.getByRole('button', { name: 'Revoke' }).click();

  await expect(rows.filter({ hasText: 'Ended' })).toHaveCount(2);
  expect(await statusOf(second)).toBe(401);
  await page.getByRole('link', { name: 'Audit' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'keys revoke' }).first()).toContainText(
    'operator:admin',
  );
});

test('an admin adds a viewer, who sees neither API keys nor operators, and disables them', async ({
  site,
  page,
  browser,
}) => {
  const name = `vera-${randomUUID()}`;
  page.on('dialog', (dialog) => dialog.accept());
  await signInToConsole(page, site);
  await page.getByRole('link', { name: 'Operators' }).click();
  await page.getByRole('button', { name: 'Add operator' }).click();
  await page.getByLabel('Name').fill(name.toUpperCase());
  await page.getByRole('dialog').getByRole('button', { name: 'Add operator' }).click();
  await expect(page.getByRole('dialog', { name: `Sign-in link of ${name}` })).toBeVisible();
  const link = await takeSecret(page);

  const other = await browser.newPage();
  await other.goto(link);
  await expect(other.getByRole('heading', { name: 'Overview' })).toBeVisible();
  await expect(other.getByRole('link', { name: 'Webhooks' })).toBeVisible();
  await expect(other.getByRole('link', { name: 'API keys' })).toHaveCount(0);
  await other.goto(`${site.platform}/console/operators`);
  await expect(other.getByRole('alert')).toContainText('role `admin`');
  await expect(other.getByRole('button', { name: 'Add operator' })).toHaveCount(0);
  await other.goto(`${site.platform}/console/webhooks`);
  await expect(other.getByText('No webhook endpoints.')).toBeVisible();
  await expect(other.getByRole('button')).toHaveCount(0);
  const vera = page.getByRole('row').filter({ hasText: name });
  await vera.getByRole('button', { name: 'Disable' }).click();
  await expect(vera).toContainText('Disabled');
  await other.getByRole('link', { name: 'Feedback' }).click();
  await expect(other.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await other.close();

  await page.getByRole('row').filter({ hasText: 'you' }).getByText('Make viewer').click();
  await expect(page.getByRole('alert')).toContainText('admin is the last enabled admin');
});

for (const [name, viewport, colorScheme] of [
  ['on a desktop', { width: 1280, height: 800 }, 'light'],
  ['on a phone in the dark', { width: 390, height: 844 }, 'dark'],
] as const) {
  test(`an operator adds a webhook endpoint, and finds out why a delivery failed, ${name}`, async ({
    site,
    page,
  }) => {
    page.on('dialog', (dialog) => dialog.accept());
    const receiver = await startReceiver();
    const audit = async () => {
      expect(await auditElement(page.locator('html'))).toEqual([]);
      expect(await widthOf(page)).toBe(viewport.width);
    };
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await signInToConsole(page, site);
    for (const path of ['api-keys', 'operators', 'webhooks']) {
      await page.goto(`${site.platform}/console/${path}`);
      await expect(page.locator('main header').getByRole('button')).toBeVisible();
      await expect(page.getByText('Loading…')).toHaveCount(0);
      await audit();
    }

    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByLabel('answer.failed').check();
    await audit();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Secret of the endpoint' })).toBeVisible();
    await audit();
    expect(await takeSecret(page)).toMatch(/^whsec_/);
    await page.locator('body').press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Send test' }).click();
    await expect(page.getByText('Answer 500')).toBeVisible();
    await audit();
    receiver.accept();
    await page.getByRole('button', { name: 'Send again' }).click();
    await expect(page.getByText('Answer 200')).toBeVisible();
    await expect(page.getByRole('cell', { name: 'Delivered' })).toBeVisible();

    await page.getByRole('button', { name: 'Edit' }).click();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Edit' })).toBeFocused();
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByLabel('From').fill('2020-01-01T00:00');
    await page.getByLabel('To').fill('2100-01-01T00:00');
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await expect(page.getByRole('status')).toContainText('1 delivery is sent again.');
    await page.getByRole('button', { name: 'Disable' }).click();
    await expect(page.getByText(/Disabled now: by request/)).toBeVisible();
    await page.getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('No webhook endpoints.')).toBeVisible();
    receiver.close();
  });
}
