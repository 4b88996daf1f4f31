/** Every page of the demo opens, in every width and scheme, without a complaint of the browser. */
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
] as const;

for (const path of paths) {
  test(`${path} opens without a complaint, and fits a narrow phone`, async ({ site, page }) => {
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    await page.setViewportSize({ width: 320, height: 640 });
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await site.signIn(page.request, 'ada');

    await page.goto(`${site.host}${path}`);

    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
      .toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
  });
}

test('a page that draws the conversation itself talks through the client alone', async ({
  site,
  page,
}) => {
  await site.signIn(page.request, 'ada');
  await page.goto(`${site.host}/headless`);

  await page.getByRole('textbox', { name: 'What did you lose?' }).fill('The weather in Lisbon?');
  await page.getByRole('button', { name: 'Send' }).click();

  await expect(page.getByRole('list', { name: 'Conversation' })).toContainText('Take sunglasses.');
});
