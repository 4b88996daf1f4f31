/** The pages of the demo: without console errors and warnings, and usable on a phone. */
import { ChatPage } from '../chat-page.ts';
import { expect, test } from '../fixtures.ts';

const paths = [
  '/',
  '/desk',
  '/lounge',
  '/script-tag',
  '/npm',
  '/react',
  '/headless',
  '/anonymous',
  '/hosted',
  '/themes',
  '/configure',
] as const;

for (const path of paths) {
  test(`the demo page ${path} opens without console errors and warnings, and fits a narrow phone`, async ({
    site,
    page,
  }) => {
    const messages: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) messages.push(message.text());
    });
    await page.setViewportSize({ width: 320, height: 640 });
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await site.signIn(page.request, 'ada');

    await page.goto(`${site.host}${path}`);

    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
      .toBeLessThanOrEqual(0);
    expect(messages).toEqual([]);
  });
}

test('a page without elements can send a message and show the answer with the client alone', async ({
  site,
  page,
}) => {
  await site.signIn(page.request, 'ada');
  await page.goto(`${site.host}/headless`);

  await page.getByRole('textbox', { name: 'What did you lose?' }).fill('The weather in Lisbon?');
  await page.getByRole('button', { name: 'Send' }).click();

  await expect(page.getByRole('list', { name: 'Conversation' })).toContainText('Take sunglasses.');
});

test('a page with all features signs in Ada when it is opened first, and on a phone its buttons scroll to the chat', async ({
  site,
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(`${site.host}/desk`);
  const chat = new ChatPage(page);
  await chat.ready();
  await expect(page.locator('inlay-chat')).not.toBeInViewport();

  await page.getByRole('button', { name: 'What is the weather?' }).click();

  await expect(chat.field).toBeInViewport();
  await context.close();
});

test('the chats of the first page and of the themes are on the first screen', async ({
  site,
  page,
}) => {
  const top = async (path: string, width: number) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${site.host}${path}`);
    return (await page.locator('inlay-chat').boundingBox())?.y;
  };

  expect(await top('/', 390)).toBeLessThan(560);
  expect(await top('/themes', 390)).toBeLessThan(560);
  expect(await top('/themes', 1280)).toBeLessThan(300);
  const rows = await page.locator('#theme-form label').evaluateAll((labels) => {
    const middle = ({ top, height }: DOMRect) => Math.round(top + height / 2);
    return labels.map((label) => middle(label.getBoundingClientRect()));
  });
  expect(new Set(rows).size).toBe(1);
});

test('a sign-out that the platform does not answer says so, and can be repeated', async ({
  site,
  page,
}) => {
  await site.signIn(page.request, 'ada');
  await page.goto(`${site.host}/npm`);
  await new ChatPage(page).ready();
  await site.server(page.request, 'killed');

  await page.getByLabel('Signed in as').selectOption('Nobody');
  const problem = page.getByRole('alert').filter({ hasText: 'the platform does not respond' });
  await expect(problem).toBeVisible();
  await site.server(page.request, 'running');
  await problem.getByRole('button', { name: 'Try again' }).click();

  await expect(problem).toHaveCount(0);
  await expect(page.getByLabel('Signed in as')).toHaveValue('nobody');
});
