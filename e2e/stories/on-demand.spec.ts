/** What only some answers need is fetched with the first that does: a highlighter, and what draws formulas. */
import { expect, test } from './stage-page.ts';

test('code and formulas fetch what they are drawn with, and nothing else does', async ({
  page,
}) => {
  const files: string[] = [];
  page.on('request', (request) => files.push(request.url()));
  await page.evaluate(async () => {
    const stage = window.openStage();
    stage.platform.answer = ({ text }) => {
      if (/code/.test(text)) return '```js\nconst answer = 42;\n```';
      return /formula/.test(text) ? 'It is $\\frac{1}{2}$.' : '**Two**:\n\n- one\n- `two`';
    };
    await stage.chat();
  });
  const field = page.getByRole('textbox', { name: 'Message', exact: true });
  const say = async (text: string) => {
    await field.fill(text);
    await field.press('Enter');
  };

  await say('Something plain');
  await expect(page.getByText('two', { exact: true })).toBeVisible();
  expect(files.join()).not.toMatch(/tokenize|render-math/);

  await say('Some code');
  // Lines are spans too, before the highlighter is there.
  await expect(page.locator('inlay-markdown pre code span.keyword').first()).toBeVisible();
  expect(files.join()).toMatch(/tokenize/);
  expect(files.join()).not.toMatch(/render-math/);

  await say('A formula');
  await expect(page.locator('inlay-markdown math')).toBeVisible();
  expect(files.join()).toMatch(/render-math/);
});
