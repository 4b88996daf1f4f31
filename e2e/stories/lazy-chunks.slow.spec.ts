/** The highlighter and the maths renderer are loaded with the first answer that needs them. */
import { expect, test } from './widget-test.ts';

test('only code and formulas load the highlighter and the maths renderer', async ({ page }) => {
  const files: string[] = [];
  page.on('request', (request) => files.push(request.url()));
  await page.evaluate(async () => {
    const testPage = window.openTestPage();
    testPage.platform.answer = ({ text }) => {
      if (/code/.test(text)) return '```js\nconst answer = 42;\n```';
      return /formula/.test(text) ? 'It is $\\frac{1}{2}$.' : '**Two**:\n\n- one\n- `two`';
    };
    await testPage.chat();
  });
  const field = page.getByRole('textbox', { name: /message/i });
  const say = async (text: string) => {
    await field.fill(text);
    await field.press('Enter');
  };

  await say('Something plain');
  await expect(page.getByText('two', { exact: true })).toBeVisible();
  expect(files.join()).not.toMatch(/tokenize|render-math/);

  await say('Some code');
  // Before highlighting, lines are spans without a class.
  await expect(page.locator('inlay-markdown pre code span.keyword').first()).toBeVisible();
  expect(files.join()).toMatch(/tokenize/);
  expect(files.join()).not.toMatch(/render-math/);

  await say('A formula');
  await expect(page.locator('inlay-markdown math')).toBeVisible();
  expect(files.join()).toMatch(/render-math/);
});
