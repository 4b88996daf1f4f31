/** The demo's first page after its start. */
import { ChatPage } from '../chat-page.ts';
import { expect, test } from '../fixtures.ts';

test('the first page of the demo signs in Ada, and shows a working chat with its HTML', async ({
  site,
  browser,
}) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(site.host);
  const chat = new ChatPage(page);
  await chat.ready();

  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Put an AI agent on your page with one line of HTML',
  );
  await expect(page.getByLabel('Signed in as')).toHaveValue('ada');
  const code = page.getByRole('region', { name: 'The HTML of this chat' });
  await expect(code).toContainText(`base-url="${site.platform}" token-url="/api/chat-token"`);
  await expect(page.getByRole('button', { name: 'Revoke token', exact: true })).toHaveCount(0);

  await chat.ask('What is the weather in Lisbon?');

  await expect(chat.answers.last()).toContainText('sunglasses');
  await context.close();
});

test('after signing out, the first page offers to sign in, even after a reload', async ({
  site,
  browser,
}) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(site.host);
  await new ChatPage(page).ready();

  await page.getByLabel('Signed in as').selectOption('Nobody');
  await expect(page.getByRole('button', { name: 'Sign in as Ada', exact: true })).toBeVisible();
  await page.reload();

  await expect(page.getByLabel('Signed in as')).toHaveValue('nobody');
  await page.getByRole('button', { name: 'Sign in as Ada', exact: true }).click();
  await new ChatPage(page).ready();
  await context.close();
});

test('the opened failures stay open on the next page', async ({ site, browser }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${site.host}/themes`);
  const revoke = page.getByRole('button', { name: 'Revoke token', exact: true });
  await expect(revoke).toHaveCount(0);

  await page.getByText('Failures', { exact: true }).click();
  await expect(revoke).toBeVisible();
  await page.goto(`${site.host}/npm`);

  await expect(revoke).toBeVisible();
  await context.close();
});

for (const path of ['/npm', '/desk', '/react', '/headless', '/script-tag']) {
  test(`the chat on ${path} can be used after “Sign in as Ada”`, async ({ site, browser }) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await site.signOut(page.request);
    await page.goto(`${site.host}${path}`);
    if (path === '/script-tag') await page.getByRole('button', { name: 'Open chat' }).click();

    await page.getByRole('button', { name: 'Sign in as Ada', exact: true }).click();

    await expect(page.getByLabel('Signed in as')).toHaveValue('ada');
    await expect(page.getByRole('button', { name: 'Sign in as Ada' })).toHaveCount(0);
    if (path === '/headless')
      await expect(page.getByText('The night desk is awake.', { exact: true })).toBeVisible();
    else await new ChatPage(page).ready();
    await context.close();
  });
}
