/** The console, with the conversations of the demo's users. */

import { readFileSync } from 'node:fs';
import { ChatPage } from '../chat-page.ts';
import { signInToConsole, widthOf } from '../console-page.ts';
import { expect, test } from '../fixtures.ts';
import { auditElement, recordViolations } from '../page-checks.ts';

test('an operator finds a conversation that a user rated, reads it with the keyboard, and deletes it', async ({
  site,
  chat,
  context,
}) => {
  await chat.ask('The weather in Lisbon?');
  await chat.answers.last().getByRole('button', { name: 'Bad answer' }).click();
  await expect(chat.answers.last().getByRole('button', { name: 'Bad answer' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  const page = await context.newPage();
  const violations = await recordViolations(page);
  await signInToConsole(page, site);

  await page.getByRole('link', { name: 'Bad ratings' }).click();
  await expect(page.getByRole('heading', { name: 'Feedback' })).toBeVisible();
  await page.getByRole('link', { name: 'Conversations', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Conversations' })).toBeVisible();
  await page.getByLabel('Rating').selectOption('Bad');
  await expect(page).toHaveURL(/\/console\/conversations\?rating=down$/);
  await expect(page.locator('[data-row]')).toHaveText(['The weather in Lisbon?']);
  await page.locator('body').press('j');
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The weather in Lisbon?');
  await expect(page.locator('inlay-message-list inlay-agent-message').last()).toContainText(
    'Lisbon',
  );
  const details = page.getByRole('complementary');
  await expect(details).toContainText('Bad');
  await details.getByText(/^\d+ steps$/).click();
  await expect(details).toContainText('get_weather');
  const id = page.url().split('/').at(-1);
  await page.reload();
  await expect(page.locator('inlay-message-list inlay-user-message')).toHaveText(/Lisbon/);
  await page.locator('main').press('Escape');
  await expect(page.getByRole('heading', { name: 'Conversations' })).toBeVisible();

  await page.goBack();
  page.once('dialog', (dialog) => dialog.accept());
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('heading', { name: 'Conversations' })).toBeVisible();
  await expect(page.getByText('Loading…')).toHaveCount(0);
  await expect(page.locator(`[href$="${id}"]`)).toHaveCount(0);
  expect(violations).toEqual([]);
});

test('an operator searches the messages of all conversations', async ({ site, chat, context }) => {
  await chat.ask('The weather in Lisbon?');
  const page = await context.newPage();
  await signInToConsole(page, site);
  await page.getByRole('link', { name: 'Conversations', exact: true }).click();
  await expect(page.locator('[data-row]').first()).toBeVisible();

  await page.locator('body').press('/');
  await page.keyboard.type('lisb the');
  await page.keyboard.press('Enter');

  await expect(page).toHaveURL(/\/console\/conversations\?query=lisb\+the$/);
  await expect(page.locator('[data-row]').first()).toHaveText('The weather in Lisbon?');
  await page.reload();
  await expect(page.getByLabel('Words')).toHaveValue('lisb the');
  await expect(page.locator('[data-row]').first()).toHaveText('The weather in Lisbon?');
  await page.getByLabel('Words').fill('kettle');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No conversations match “kettle”.')).toBeVisible();
  await page.getByLabel('User').fill('nobody');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No conversations match “kettle” and these filters.')).toBeVisible();
  await page.goBack();
  await page.goBack();
  await expect(page.getByLabel('Words')).toHaveValue('lisb the');
});

test('a wrong password is refused, and signing out in one tab ends the session of the other', async ({
  site,
  page,
  context,
}) => {
  await page.goto(`${site.platform}/console/feedback`);
  await page.getByLabel('Name').fill('admin');
  await page.getByLabel('Password').fill('wrong password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toHaveText('The name or the password is wrong.');
  await page.getByLabel('Password').fill(site.adminSecret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Feedback' })).toBeVisible();

  const other = await context.newPage();
  await other.goto(`${site.platform}/console/account`);
  await other.getByRole('button', { name: 'Sign out' }).click();
  await expect(other.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await page.getByRole('link', { name: 'Tokens' }).click();

  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
});

test('an operator blocks a user, and exports and erases their data', async ({
  site,
  chat,
  context,
}) => {
  await chat.ask('The weather in Lisbon?');
  const page = await context.newPage();
  page.on('dialog', (dialog) => dialog.accept());
  await signInToConsole(page, site);
  await page.getByRole('link', { name: 'People', exact: true }).first().click();
  await page.locator('[data-row]').first().click();
  await expect(page.getByRole('button', { name: 'Block' })).toBeVisible();
  const address = new URL(page.url()).pathname.replace('/console/', '');

  await page.getByRole('button', { name: 'Block' }).click();
  await expect(page.getByText('Blocked')).toBeVisible();
  await page.getByRole('button', { name: 'Unblock' }).click();
  await expect(page.getByText('Allowed')).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export data' }).click();
  expect((await download).suggestedFilename()).toMatch(/\.zip$/);
  await page.getByRole('button', { name: 'Erase data' }).click();

  await expect(page.getByRole('heading', { name: 'People' })).toBeVisible();
  await expect(page.getByText('Loading…')).toHaveCount(0);
  await expect(page.locator(`[data-row][href="${address}"]`)).toHaveCount(0);
  await page.getByRole('link', { name: 'Audit' }).click();
  await expect(page.getByRole('cell', { name: /erase$/ }).first()).toBeVisible();
});

test('an operator reads which text a visitor has agreed to', async ({ site, page, context }) => {
  await page.goto(`${site.host}/lounge`);
  const chat = new ChatPage(page);
  await chat.button('Accept and continue').click();
  await chat.ask('A tour of what you can write');
  const console = await context.newPage();
  await signInToConsole(console, site);

  await console.goto(`${site.platform}/console/people?agent=lounge`);
  await console.locator('[data-row]').first().click();
  await console.getByText('now (en)').click();

  await expect(console.locator('blockquote')).toContainText('We keep what you write for 30 days');
  expect(await auditElement(console.locator('html'))).toEqual([]);
  expect(await widthOf(console)).toBe(console.viewportSize()?.width);
});

test('an operator groups and sorts the usage, follows a number to its list, and saves a CSV file', async ({
  site,
  chat,
  context,
}) => {
  await chat.ask('The weather in Lisbon?');
  const page = await context.newPage();
  const violations = await recordViolations(page);
  await signInToConsole(page, site);
  await page.getByRole('link', { name: 'Usage', exact: true }).click();
  await expect(page.getByRole('img', { name: /^Line chart\. Answers/ })).toBeVisible();

  await page.getByLabel('Group by').selectOption('Agent');
  await page.getByLabel('Then by').selectOption('Day');
  await page.getByRole('combobox', { name: 'Chart' }).selectOption('Messages');
  const heading = page.getByRole('columnheader', { name: 'Conversations' });
  await heading.getByRole('link').click();
  await expect(heading).toHaveAttribute('aria-sort', 'descending');
  await expect(page).toHaveURL(
    /usage\?days=30&group_by=agent&then_by=day&chart=user_messages&sort=sessions&order=descending$/,
  );
  await page.reload();
  await expect(page.getByRole('img', { name: /^Line chart\. Vesper night desk/ })).toBeVisible();
  await page.locator('[data-row]').first().click();
  await expect(page).toHaveURL(/conversations\?agent_id=agt_\w+&active_after=\d{4}-\d\d-\d\d$/);
  await expect(page.locator('[data-row]').first()).toHaveText('The weather in Lisbon?');
  await page.goBack();

  await page.route('**/console/api/usage?**', async (route) => {
    const report = await (await route.fetch()).json();
    report.data = ['=1+1', '+1', '-1', '@a', 'a "b", c', 'gpt-5'].map((model) => ({
      ...report.data[0],
      model,
      spent_cents: -0.5,
    }));
    await route.fulfill({ json: report });
  });
  await page.goto(`${site.platform}/console/usage?group_by=model&sort=model`);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(
    /^usage-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/,
  );
  const lines = readFileSync(await (await download).path(), 'utf8').split('\r\n');
  expect(lines[0]).toMatch(/^model,sessions,.*,spent_cents,/);
  expect(
    lines
      .slice(1, -1)
      .map((line) => line.match(/^("(?:[^"]|"")*"|[^,]*),/)?.[1])
      .sort(),
  ).toEqual(["'=1+1", "'+1", "'-1", "'@a", '"a ""b"", c"', 'gpt-5'].sort());
  expect(lines[1]).toContain(',-0.5,');
  expect(lines.at(-1)).toBe('');
  expect(violations).toEqual([]);
});

test('the usage of other days is empty, and names the mistake if they are in the wrong order', async ({
  site,
  page,
}) => {
  await signInToConsole(page, site);
  await page.goto(`${site.platform}/console/usage?days=custom&from=2020-01-01&to=2020-01-31`);
  await expect(page.getByText('No messages in this period.')).toBeVisible();
  await page.getByLabel('From (UTC)').fill('2020-02-01');
  await expect(page.getByRole('alert')).toContainText('must not be after `to`');
  await page.getByLabel('Time').selectOption('7 days');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

for (const [name, viewport, colorScheme] of [
  ['on a desktop', { width: 1280, height: 800 }, 'light'],
  ['on a phone in the dark', { width: 390, height: 844 }, 'dark'],
] as const) {
  test(`the pages of the console have no accessibility violations ${name}`, async ({
    site,
    chat,
    context,
  }) => {
    await chat.ask('The weather in Lisbon?');
    const page = await context.newPage();
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await page.goto(`${site.platform}/console/`);
    await expect(page.getByLabel('Password')).toBeVisible();
    expect(await auditElement(page.locator('html'))).toEqual([]);
    await signInToConsole(page, site);

    for (const path of [
      'overview',
      'usage?group_by=agent&then_by=version',
      'conversations',
      'feedback',
      'people',
      'tokens',
      'audit',
      'account',
      'nothing',
    ]) {
      await page.goto(`${site.platform}/console/${path}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByText('Loading…')).toHaveCount(0);
      expect(await auditElement(page.locator('html')), path).toEqual([]);
      expect(await widthOf(page), path).toBe(viewport.width);
    }
    await page.goto(`${site.platform}/console/conversations`);
    await page.locator('[data-row]').first().click();
    await expect(page.locator('inlay-message-list inlay-agent-message').last()).toBeVisible();
    expect(await auditElement(page.locator('html'))).toEqual([]);
    await page.goto(`${site.platform}/console/conversations`);
    await expect(page.locator('[data-row]').first()).toBeVisible();
    const loads = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map((entry) => entry.toJSON() as PerformanceResourceTiming),
    );
    expect(loads.length + 1).toBeLessThanOrEqual(6);
    const bytes = loads.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    expect(bytes).toBeLessThan(120_000);
    // The longest possible id of a user.
    const id = page.locator('[data-label="User"] a').first();
    await id.evaluate((link) => {
      link.textContent = 'x'.repeat(128);
    });
    expect(await widthOf(page)).toBe(viewport.width);
  });
}
