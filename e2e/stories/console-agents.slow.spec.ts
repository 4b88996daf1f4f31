/** The pages of the console for agents. */
import type { Page } from '@playwright/test';
import { ChatPage } from '../chat-page.ts';
import { saveForm, signInToConsole, widthOf } from '../console-page.ts';
import { expect, test } from '../fixtures.ts';
import { auditElement } from '../page-checks.ts';

const main = (page: Page) => page.locator('main');

/** Opens the page of the agent `demo`. */
async function openDemo(page: Page, platform: string, section = '') {
  await page.goto(`${platform}/console/agents/demo${section}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Vesper night desk' })).toBeVisible();
}

test('a preview opens the hosted page', async ({ site, page }) => {
  await signInToConsole(page, site);
  await openDemo(page, site.platform, '/site');
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Open a preview' }).click();

  const preview = new ChatPage(await opened);
  await preview.ready();
  await preview.ask('The weather in Lisbon?');
  expect(await preview.page.evaluate(() => opener)).toBeNull();
  await page.goto(`${site.platform}/console/tokens`);
  await expect(page.getByRole('link', { name: 'operator:admin' }).first()).toBeVisible();
});

test('changed instructions become a version, which is compared with others, and replaced', async ({
  site,
  page,
}) => {
  await signInToConsole(page, site);
  await page.goto(`${site.platform}/console/agents`);
  await expect(page.locator('[data-row]').first()).toBeVisible();
  await page.locator('body').press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Vesper lounge' })).toBeVisible();
  const instructions = page.getByLabel('Instructions');
  const before = await instructions.inputValue();
  await instructions.fill(`${before}\nOffer a drink.`);

  // An accident with a link or Escape loses no text.
  page.once('dialog', (dialog) => dialog.dismiss());
  await page.getByRole('link', { name: 'Versions' }).click();
  await instructions.press('Escape');
  await expect(instructions).toHaveValue(`${before}\nOffer a drink.`);
  await saveForm(page, /^Saved as version 1\.1/);
  await page.getByRole('link', { name: 'Versions' }).click();
  await expect(page.getByRole('row', { name: /^1\.1/ })).toContainText('In use, Latest');
  await page.locator('body').press('j');
  await page.keyboard.press('Enter');
  const difference = page.getByRole('region', { name: 'Instructions' });
  await expect(difference.locator('ins')).toHaveText(['Offer a drink.']);
  await expect(difference.locator('del')).toHaveCount(0);
  await page.getByLabel('From').selectOption('1.1');
  await page.getByLabel('To').selectOption('1');
  await expect(difference.locator('del')).toHaveText(['Offer a drink.']);

  await page.locator('body').press('Escape');
  page.once('dialog', (dialog) => dialog.accept());
  await page.getByRole('row', { name: /^1 / }).getByRole('button', { name: 'Use' }).click();
  await expect(page.getByRole('row', { name: /^1 / })).toContainText('In use');
  await page.getByRole('link', { name: 'Embed policy' }).click();
  await expect(page.getByLabel('Version')).toHaveValue('1');
});

test('an operator blocks a user, and manages the publishable keys', async ({ site, page }) => {
  page.on('dialog', (dialog) => dialog.accept());
  await signInToConsole(page, site);
  await openDemo(page, site.platform, '/blocked');
  await expect(page.getByText('Nobody is blocked.')).toBeVisible();
  await page.getByLabel('User id').fill('not valid');
  await page.getByLabel('User id').press('Enter');
  await expect(page.getByRole('alert')).toContainText('external_user_id');
  await page.getByLabel('User id').fill('mallory');
  await page.getByLabel('User id').press('Enter');
  await expect(page.getByRole('row', { name: /mallory/ })).toContainText('Console or API');
  await page.getByRole('button', { name: 'Unblock' }).click();
  await expect(page.getByText('Nobody is blocked.')).toBeVisible();

  await page.getByRole('link', { name: 'Publishable keys' }).click();
  await page.getByRole('link', { name: 'pk_demo' }).click();
  await expect(page.getByText('part of the agent’s settings')).toBeVisible();
  await page.getByRole('button', { name: 'Disable' }).click();
  await expect(main(page).getByText('Disabled')).toBeVisible();
  await page.getByRole('button', { name: 'Enable' }).click();
  await expect(main(page).getByText('Active')).toBeVisible();
  await page.getByRole('button', { name: 'Rotate' }).click();
  await expect(page.getByText('pk_demo')).toHaveCount(0);
  await page.getByLabel('Conversations', { exact: true }).fill('5');
  await saveForm(page, 'Saved.');
  await expect(page.getByText('0 of 5')).toBeVisible();
  await page.getByLabel('Allowed origins').fill('https://elsewhere.example');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('“https://elsewhere.example” is not among')).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('row', { name: /pk_demo/ })).toContainText('Ends soon');
  await expect(page.locator('[data-row]')).toHaveCount(1);
});

/** JSON Pointers of the members of a resource that have a value. */
function leavesOf(value: unknown, pointer = ''): string[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [pointer];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, `${pointer}/${name}`));
}

test('every setting that the API returns and changes has a field', async ({ site, page }) => {
  await signInToConsole(page, site);
  const agent = await page.evaluate(async () => (await fetch('api/agents/demo')).json());
  const fieldsOf = async (section: string) => {
    await openDemo(page, site.platform, section);
    const fields = main(page).locator('inlay-console-form [name]');
    await expect(fields.first()).toBeVisible();
    return fields.evaluateAll((found) => found.map((field) => field.getAttribute('name') ?? ''));
  };
  const missing = (resource: object, fields: readonly string[]) =>
    leavesOf(resource).filter(
      (leaf) => !fields.some((field) => `${leaf}/`.startsWith(`${field}/`)),
    );
  const { publishable_keys: keys, ...settings } = agent;
  const [key] = keys;

  const ofAgent = missing(settings, [...(await fieldsOf('')), ...(await fieldsOf('/policy'))]);
  const ofKey = missing(key, await fieldsOf('/keys/new'));

  const readOnly = /^\/(type|id|key|agent_id|short_id|versions?|status|declared|\w+_at)$/;
  const isBlocklist = /blocked_end_user/;
  const changeable = [...ofAgent, ...ofKey].filter(
    (leaf) => !readOnly.test(leaf) && !isBlocklist.test(leaf),
  );
  expect(changeable).toEqual([]);
});

test('a viewer reads all sections of an agent, and is offered no change', async ({
  site,
  page,
}) => {
  const link = /http\S+/.exec(await site.command('operators', 'create', 'vera'))?.[0] ?? '';
  await page.goto(link);
  await page.getByRole('link', { name: 'Agents' }).click();
  await expect(page.locator('[data-row]').first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'New agent' })).toHaveCount(0);
  for (const [section, text] of [
    ['', 'You are the night desk of Vesper'],
    ['/site', 'data-publishable-key'],
    ['/versions', 'In use, Latest'],
    ['/policy', 'http://localhost:*'],
    ['/keys', 'pk_demo'],
    ['/keys/pk_demo', 'New visitors per hour'],
    ['/blocked', 'An admin can block users'],
  ] as const) {
    await openDemo(page, site.platform, section);
    await expect(main(page).getByText(text).first()).toBeVisible();
    await expect(main(page).locator('textarea, input')).toHaveCount(0);
    const buttons = await main(page).getByRole('button').allTextContents();
    expect(buttons.filter((name) => name.trim() !== 'Copy')).toEqual([]);
    expect(await auditElement(page.locator('html')), section).toEqual([]);
  }
  await page.goto(`${site.platform}/console/agents/new`);
  await expect(page.getByText('Only an admin can create agents.')).toBeVisible();
});

for (const [name, viewport, colorScheme] of [
  ['on a desktop', { width: 1280, height: 800 }, 'light'],
  ['on a phone in the dark', { width: 390, height: 844 }, 'dark'],
] as const) {
  test(`the pages of agents have no accessibility violations ${name}`, async ({ site, page }) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await signInToConsole(page, site);
    for (const path of [
      '',
      '/new',
      '/demo',
      '/demo/site?key=none',
      '/lounge/versions',
      '/lounge/versions?to=1',
      '/demo/policy',
      '/demo/keys',
      '/demo/keys/new',
      '/demo/keys/pk_demo',
      '/demo/blocked',
    ]) {
      await page.goto(`${site.platform}/console/agents${path}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByText('Loading…')).toHaveCount(0);
      expect(await auditElement(page.locator('html')), path).toEqual([]);
      expect(await widthOf(page), path).toBe(viewport.width);
    }
    await page.goto(`${site.platform}/console/agents/demo/policy`);
    await page.getByLabel('Allowed origins').fill('example.com');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText(/“example\.com” must be/)).toBeVisible();
    expect(await auditElement(page.locator('html'))).toEqual([]);
  });
}
