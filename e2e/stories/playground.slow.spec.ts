/** The playground: options change the widget and the code, and links restore them. */
import type { Page } from '@playwright/test';
import { ChatPage } from '../chat-page.ts';
import { expect, test } from '../fixtures.ts';
import { auditElement } from '../page-checks.ts';
import type { Site } from '../site.ts';

/** Opens the playground with the fragment of a link. */
async function open(site: Site, page: Page, fragment = '') {
  await page.goto(`${site.host}/configure${fragment && `#${fragment}`}`);
  const playground = page.locator('inlay-playground');
  const form = playground.getByRole('form', { name: 'Options' });
  const code = playground.getByRole('region', { name: 'Code' });
  return {
    playground,
    form,
    code,
    chat: new ChatPage(page),
    /** Finds an option by its complete name. */
    async find(name: string) {
      await form.getByRole('searchbox').fill(name);
      return form.getByLabel(name.replace(/^--inlay-/, ''), { exact: true });
    },
  };
}

test('changed options are shown in the widget and the code, restored by a link, and removed by “Reset”', async ({
  site,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { playground, form, code, chat, find } = await open(site, page);
  await chat.ready();
  const file = code.locator('pre').first();
  await expect(file).toHaveText(
    '<inlay-chat base-url="https://chat.example" token-url="/api/chat-token" ></inlay-chat>',
  );

  await (await find('heading')).fill('Night "desk" & more');
  await (await find('--inlay-radius')).fill('2px');
  await (await find('greeting')).fill('Good morning.');
  await expect(page.locator('inlay-chat').getByText('Night "desk" & more')).toBeVisible();
  await expect(page.locator('inlay-chat').getByText('Good morning.')).toBeVisible();
  await expect(page.locator('inlay-chat')).toHaveCSS('--inlay-radius', '2px');
  await expect(file).toContainText('heading="Night &quot;desk&quot; &amp; more"');
  await expect(code).toContainText('--inlay-radius: 2px;');
  await expect(code).toContainText("greeting: 'Good morning.'");

  await code.getByRole('radio', { name: 'React' }).check();
  await expect(file).toContainText('heading={\'Night "desk" & more\'}');
  await code.getByRole('button', { name: 'Copy chat.tsx' }).click();
  await expect(playground.getByRole('status')).toHaveText('chat.tsx copied.');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('<InlayChat');

  await playground.getByRole('button', { name: 'Copy link' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.locator('inlay-chat').getByText('Good morning.')).toBeVisible();
  await expect(page.locator('inlay-chat')).toHaveCSS('--inlay-radius', '2px');
  await expect(file).toContainText('heading={\'Night "desk" & more\'}');

  await playground.getByRole('button', { name: 'Reset' }).click();
  await expect(file).not.toContainText('heading');
  await expect(page).toHaveURL(/\/configure(#code=react)?$/);
  await expect(form.getByRole('searchbox')).toHaveValue('');
  await expect(page.locator('inlay-chat').getByText('Good evening.')).toBeVisible();
});

test('the welcome card of the example can be answered', async ({ site, page }) => {
  const { code, chat, find } = await open(site, page);
  await (await find('welcome')).check();
  await expect(code).toContainText("title: 'Before you board'");

  const card = page.locator('inlay-card');
  await card.getByRole('textbox', { name: 'E-mail' }).fill('ada@example.com');
  await card.getByRole('button', { name: 'Start' }).click();

  await expect(chat.answers.last()).toContainText('Noted.');
});

test('a colour can be picked, for which the text field has the value', async ({ site, page }) => {
  const { form, code, find } = await open(site, page);
  const text = await find('--inlay-color-accent');
  await form.getByLabel('Pick color-accent', { exact: true }).fill('#0a7d55');

  await expect(text).toHaveValue('#0a7d55');
  await expect(code).toContainText('--inlay-color-accent: #0a7d55;');

  await text.fill('tomato');
  await expect(form.getByLabel('Pick color-accent', { exact: true })).toHaveValue('#ff6347');
});

test('the widget of the playground works without network requests, as a chat and as a launcher', async ({
  site,
  page,
}) => {
  const { playground, code, chat } = await open(site, page);
  await chat.ready();
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname, protocol } = new URL(request.url());
    if (protocol !== 'blob:' && !pathname.startsWith('/assets/')) requests.push(request.url());
  });
  await chat.ask('Which trains run tonight?');
  await expect(chat.answers.last().getByRole('table')).toBeVisible();

  await playground.getByRole('radio', { name: 'Launcher' }).check();
  await page.getByRole('button', { name: 'Open chat' }).click();
  await chat.ready();
  await code.getByRole('radio', { name: 'Script tag' }).check({ force: true });
  await expect(code.locator('pre').first()).toContainText('data-token-url="/api/chat-token"');
  expect(requests).toEqual([]);
});

test('untrusted values of a link are ignored with a notice', async ({ site, page }) => {
  const fragment = new URLSearchParams({
    'base-url': 'https://evil.example',
    'token-url': 'https://evil.example/token',
    '--inlay-avatar-agent': 'url(https://evil.example/x.png)',
    'agent.appearance.greeting': '<img src=x onerror="document.title=1">',
    heading: '"><script>document.title=1</script>',
  });
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(site.host)) foreign.push(request.url());
  });
  const { playground, code, chat } = await open(site, page, String(fragment));
  await chat.ready();

  const notice = playground.getByRole('alert');
  for (const name of ['base-url', 'token-url', '--inlay-avatar-agent']) {
    await expect(notice).toContainText(name);
  }
  await expect(notice).not.toContainText('heading');
  await expect(page.locator('inlay-chat').getByText('"><script>')).toBeVisible();
  await expect(code).not.toContainText('evil.example');
  await expect(page).not.toHaveTitle('1');
  expect(foreign).toEqual([]);
});

test('an invalid value is explained at its field, and left out of the code', async ({
  site,
  page,
}) => {
  const { form, code, chat, find } = await open(site, page);
  await chat.ready();
  const field = await find('--inlay-avatar-agent');
  await field.fill('url(https://example.com/a.png)');

  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(form.getByText('url() is not available here.')).toBeVisible();
  await expect(code).not.toContainText('--inlay-avatar-agent');
});

test('“Inspect” opens the inspector, which shows the streams of the chat', async ({
  site,
  page,
}) => {
  const { playground, chat } = await open(site, page);
  await chat.ready();
  const inspect = playground.getByRole('button', { name: 'Inspect', exact: true });
  await inspect.press('Enter');
  const panel = page.getByRole('region', { name: 'Inlay inspector' });
  await expect(panel).toBeInViewport({ ratio: 0.9 });
  await chat.ask('Which trains run tonight?');
  await expect(panel.getByRole('row').filter({ hasText: /Stream \d+ opened/ })).toBeVisible();

  await panel.getByRole('button', { name: 'Close' }).click();
  await expect(panel).toHaveCount(0);
  await expect(inspect).toHaveAttribute('aria-pressed', 'false');
});

for (const [layout, width, order] of [
  ['two columns', 1280, ['options', 'widget', 'code']],
  ['one column', 390, ['widget', 'options', 'code']],
] as const) {
  test(`the focus order in ${layout} follows the layout`, async ({ site, page }) => {
    const { playground, form, code, chat } = await open(site, page);
    await chat.ready();
    // The layout changes after the widget was shown.
    await page.setViewportSize({ width, height: 800 });
    const places = [
      ['options', form.getByRole('searchbox')],
      ['widget', chat.field],
      ['code', code.getByRole('radio', { checked: true })],
    ] as const;
    const visited: string[] = [];
    await playground.getByRole('button', { name: 'Reset' }).focus();
    for (let stop = 0; stop < 60 && visited.length < places.length; stop += 1) {
      await page.keyboard.press('Tab');
      for (const [name, place] of places) {
        if (await place.evaluate((element) => element.matches(':focus'))) visited.push(name);
      }
    }
    expect(visited).toEqual(order);
    const tops = await Promise.all(places.map(([, place]) => place.boundingBox()));
    if (layout === 'one column') expect(tops[1]?.y).toBeLessThan(tops[0]?.y ?? 0);
  });
}

test('the playground passes the accessibility audit, and fits a narrow phone', async ({
  site,
  page,
}) => {
  const { form, chat } = await open(site, page);
  await chat.ready();
  await form.locator('summary').first().focus();
  await page.keyboard.press('Tab');
  await expect(form.getByLabel('heading', { exact: true })).toBeFocused();
  await form.getByRole('searchbox').fill('e');
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const faults = await auditElement(page.locator('inlay-playground'));
      expect(faults, `${width} ${colorScheme}`).toEqual([]);
    }
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
  }
});
