import { test as base, type Page } from '@playwright/test';
import { type Frame, Gallery } from '../states/gallery.ts';

/** A page with the widget and a scripted platform in it, and with nothing else. */
export const test = base.extend<{ frame: Frame; page: Page }, { gallery: Gallery }>({
  gallery: [
    async ({ playwright: _ }, use) => {
      const gallery = await Gallery.open();
      await use(gallery);
      await gallery.close();
    },
    { scope: 'worker' },
  ],
  frame: async ({ gallery }, use) => {
    const frame = await gallery.hang({ size: 'wide' });
    await use(frame);
    base.expect(frame.problems, 'what went wrong on the page').toEqual([]);
    // Nobody else's: a story may have changed its clock, or what it is allowed.
    await frame.page.context().close();
  },
  page: async ({ frame }, use) => {
    await use(frame.page);
  },
});

/** What has the focus, by role and name, as a screen reader tells it. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    if (!at || at === document.body) return 'nothing';
    const name = at.getAttribute('aria-label') ?? at.textContent ?? '';
    return `${at.localName}: ${name.replace(/\s+/g, ' ').trim()}`;
  });
}

/** Goes on with the Tab key until this has the focus; says where it has been if it never comes. */
export async function tabTo(page: Page, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  const way: string[] = [];
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press(key);
    const here = await focused(page);
    if (here.split(': ').slice(1).join(': ') === name) return;
    way.push(here);
  }
  throw new Error(`“${name}” is not on the way: ${way.join(', ')}`);
}

export { expect } from '@playwright/test';
