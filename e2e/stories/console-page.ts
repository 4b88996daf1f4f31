import { expect, type Page } from '@playwright/test';
import type { Site } from '../site.ts';

/** Signs in to the console as the operator `admin`. */
export async function signIn(page: Page, { platform, adminSecret }: Site): Promise<void> {
  await page.goto(`${platform}/console/`);
  await page.getByLabel('Name').fill('admin');
  await page.getByLabel('Password').fill(adminSecret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
}
