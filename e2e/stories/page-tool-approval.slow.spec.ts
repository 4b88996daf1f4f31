/** A tool that the page runs, and that needs the user's approval first. */
import { expect, test } from './widget-test.ts';

test('a page tool runs after the user has allowed it, and does not run after a denial', async ({
  page,
}) => {
  const testPage = await page.evaluateHandle(async () => {
    const testPage = window.openTestPage();
    testPage.platform.answer = [
      {
        call: 'delete_draft',
        runs_on: 'page',
        permission: 'ask',
        explanation: 'Deletes the draft “Summer”.',
      },
      { say: 'Deleted: {result}.', when: 'ok' },
      { say: 'Kept: {result}.', when: 'error' },
    ];
    const calls: unknown[] = [];
    const tools = { delete_draft: () => `${calls.push('delete_draft')} draft` };
    await testPage.chat({ tools });
    await testPage.waitForText('how can I help');
    return Object.assign(testPage, { calls });
  });
  const calls = () => testPage.evaluate(({ calls }) => calls.length);
  const ask = async () => {
    await page.getByRole('textbox', { name: 'Message' }).fill('Tidy up');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible();
  };

  await ask();
  await expect(page.getByText('Deletes the draft “Summer”.', { exact: true })).toBeVisible();
  expect(await calls()).toBe(0);
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByRole('textbox', { name: 'Why not?' }).fill('I need it');
  await page.getByRole('button', { name: 'Deny' }).click();
  await expect(page.getByText('Kept: I need it.', { exact: true })).toBeVisible();
  await expect(page.getByText('You denied this: I need it')).toBeVisible();
  expect(await calls()).toBe(0);

  await ask();
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByText('Deleted: 1 draft.', { exact: true })).toBeVisible();
  await expect(page.getByText('You allowed this')).toBeVisible();
  expect(await calls()).toBe(1);
});
