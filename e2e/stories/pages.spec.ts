/** Every page of the demo opens without console errors or warnings, and fits the width of a phone. */
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
