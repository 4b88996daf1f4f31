/** The printed page. */
import type { Locator } from '@playwright/test';
import { log } from '../states/test-page.ts';
import { expect, test } from './widget-test.ts';

test('the whole conversation is printed, without the composer', async ({ page }) => {
  const turns = Array.from({ length: 12 }, (_, index) =>
    log.turn(`Question ${index}`, `Answer ${index}.\n\n${'More words. '.repeat(40)}`),
  ).flat();
  await page.evaluate(async (events) => {
    const style = document.createElement('style');
    style.textContent = 'inlay-chat { height: 400px; overflow: hidden }';
    document.head.append(style);
    const testPage = window.openTestPage();
    testPage.configure({ features: { attachments: false, feedback: true, threads: true } });
    await testPage.chatWithHistory(...events);
    await testPage.waitForText('Answer 11');
  }, turns);
  await page.getByRole('button', { name: 'Show conversations' }).click();
  await expect(page.getByRole('searchbox')).toBeVisible();

  await page.emulateMedia({ media: 'print' });

  await expect(page.getByRole('textbox')).toHaveCount(0);
  await expect(page.getByRole('searchbox')).toHaveCount(0);
  await expect(page.getByText('Answer 0.')).toBeVisible();
  const answers = page.locator('inlay-agent-message');
  await expect(answers).toHaveCount(12);
  const bottomOf = (locator: Locator) =>
    locator.evaluate((element) => element.getBoundingClientRect().bottom);
  expect(await bottomOf(page.locator('inlay-chat'))).toBeGreaterThan(
    await bottomOf(answers.last()),
  );
});
