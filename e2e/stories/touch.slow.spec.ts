/** Touch gestures with real touch events, which scroll the page unless an element prevents it. */
import type { Page } from '@playwright/test';
import type { StateBrowser } from '../states/state-browser.ts';
import { expect, test } from './widget-test.ts';

/** Opens a phone-sized page, with a function that sends touch events. */
async function openPhonePage(stateBrowser: StateBrowser) {
  const statePage = await stateBrowser.openPage({ touch: true });
  const { page } = statePage;
  const cdp = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', point?: { x: number; y: number }) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: point ? [point] : [] });
  const drag = async ({ x, y }: { x: number; y: number }, across: number, down: number) => {
    await touch('touchStart', { x, y });
    for (const part of [0.1, 0.25, 0.5, 0.75, 1]) {
      await touch('touchMove', { x: x + part * across, y: y + part * down });
    }
    await touch('touchEnd');
  };
  return { statePage, page, drag };
}

async function middleOf(page: Page, name: string) {
  const box = await page.getByRole('button', { name }).boundingBox();
  if (!box) throw new Error(`“${name}” can't be seen.`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

test('dragging the bubble moves it to the other side without opening the chat or scrolling the page', async ({
  stateBrowser,
}) => {
  const { statePage, page, drag } = await openPhonePage(stateBrowser);
  await page.evaluate(async () => {
    document.body.style.minHeight = '3000px';
    await window.openTestPage().launcher();
  });
  const { x, y } = await middleOf(page, 'Open chat');

  await drag({ x, y }, -250, -300);

  await expect.poll(async () => (await middleOf(page, 'Open chat')).x).toBeLessThan(60);
  expect((await middleOf(page, 'Open chat')).y).toBeLessThan(y - 200);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await statePage.close();
});

test('suggestions are in one row, can be swiped, and are sent by a tap', async ({
  stateBrowser,
}) => {
  const { statePage, page, drag } = await openPhonePage(stateBrowser);
  await statePage.show('suggestions-touch');
  const last = page.getByRole('button', { name: 'What if nobody is at home then?' });
  await expect(last).not.toBeInViewport({ ratio: 0.9 });
  const first = await middleOf(page, 'When will it come?');
  expect((await middleOf(page, 'Send it elsewhere')).y).toBe(first.y);

  await drag(await middleOf(page, 'Send it elsewhere'), -220, 0);

  await expect(last).toBeInViewport({ ratio: 0.9 });
  await last.tap();
  await expect(page.getByRole('article').last()).toContainText('What if nobody is at home then?');
  await statePage.close();
});
