/** The API reference of the platform, under its content security policy. */
import { expect, test } from '../fixtures.ts';
import { recordViolations } from '../page-checks.ts';

test('/meta/v1/docs renders the operations without a CSP violation', async ({ site, page }) => {
  const violations = await recordViolations(page);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));

  const response = await page.goto(`${site.platform}/meta/v1/docs`);

  expect(response?.headers()['content-security-policy']).toContain("default-src 'none'");
  const operation = page.getByRole('button', { name: /post \/agent\/v1\/embed_tokens$/i }).first();
  await expect(operation).toBeVisible();
  await operation.click();
  await expect(page.getByRole('heading', { name: 'Responses' })).toBeVisible();
  const description = (await (
    await page.request.get(`${site.platform}/meta/v1/openapi.json`)
  ).json()) as { paths: Record<string, object> };
  const operations = Object.values(description.paths).flatMap((path) => Object.keys(path));
  await expect(page.locator('.opblock')).toHaveCount(operations.length);
  await page.getByRole('button', { name: 'Schemas' }).click();
  await expect(page.getByText('AgentResource', { exact: true })).toBeVisible();
  // API keys do not belong in browsers.
  await expect(page.getByRole('button', { name: /authorize|try it out/i })).toHaveCount(0);
  expect(violations).toEqual([]);
  expect(requests.filter((url) => /^https?:/.test(url) && !url.startsWith(site.platform))).toEqual(
    [],
  );
});
