import { expect, type Page } from '@playwright/test';
import type { Site } from './site.ts';

/** Signs in to the console as the operator `admin`. */
export async function signInToConsole(page: Page, { platform, adminSecret }: Site): Promise<void> {
  await page.goto(`${platform}/console/`);
  await page.getByLabel('Name').fill('admin');
  await page.getByLabel('Password').fill(adminSecret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
}

/** Width of the page, which is larger than that of the window if it scrolls sideways. */
export const widthOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth);

/** Saves the form of a page, and waits for its message. */
export async function saveForm(page: Page, message: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Save changes' }).press('Enter');
  await expect(page.getByRole('status').filter({ hasText: message })).toBeVisible();
}
