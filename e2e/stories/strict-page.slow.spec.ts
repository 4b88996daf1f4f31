/** The widget on a page with the strictest policy: `default-src 'none'`, minimal sources, Trusted Types. */
import { ChatPage } from '../chat-page.ts';
import { expect, test } from '../fixtures.ts';
import { recordViolations } from '../page-checks.ts';

for (const path of ['/minimal-csp', '/npm', '/script-tag', '/react', '/anonymous'] as const) {
  test(`the page ${path} has no CSP violation while the widget is used`, async ({ site, page }) => {
    const violations = await recordViolations(page);
    await site.signIn(page.request, 'ada');
    const response = await page.goto(`${site.host}${path}`);
    expect(response?.headers()['content-security-policy']).toContain("default-src 'none'");
    expect(response?.headers()['content-security-policy']).toContain('require-trusted-types-for');

    if (path === '/script-tag') await page.getByRole('button', { name: 'Open chat' }).click();
    const chat = new ChatPage(page);
    await chat.ready();
    await chat.ask('A tour of what you can write, please');

    await expect(chat.answers.last().getByRole('table')).toBeVisible();
    expect(violations).toEqual([]);
  });
}
