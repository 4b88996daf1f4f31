import { test as base, type Page } from '@playwright/test';
import { StateBrowser, type StatePage } from '../states/state-browser.ts';

/** A test with a page that has only the widget and a scripted platform. */
export const test = base.extend<
  { statePage: StatePage; page: Page },
  { stateBrowser: StateBrowser }
>({
  stateBrowser: [
    async ({ playwright: _ }, use) => {
      const stateBrowser = await StateBrowser.open();
      await use(stateBrowser);
      await stateBrowser.close();
    },
    { scope: 'worker' },
  ],
  statePage: async ({ stateBrowser }, use) => {
    const statePage = await stateBrowser.openPage({ size: 'wide' });
    await use(statePage);
    base.expect(statePage.problems, 'errors of the page').toEqual([]);
    // The page is not reused: a test can have changed its clock or permissions.
    await statePage.page.context().close();
  },
  page: async ({ statePage }, use) => {
    await use(statePage.page);
  },
});

/** Returns the local name and the label or text of the focused element. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    if (!element || element === document.body) return 'nothing';
    const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
    return `${element.localName}: ${name.replace(/\s+/g, ' ').trim()}`;
  });
}

/**
 * Presses Tab until the element with this label or text has the focus.
 *
 * @throws {Error} With the visited elements, if that element is not among the next 60 tab stops.
 */
export async function tabTo(page: Page, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  const visited: string[] = [];
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press(key);
    const current = await focused(page);
    if (current.split(': ').slice(1).join(': ') === name) return;
    visited.push(current);
  }
  throw new Error(`“${name}” was not reached: ${visited.join(', ')}`);
}

export { expect } from '@playwright/test';
