/** Checks that the audit of the visual states finds problems, and has no false positives. */
import { expect, test } from './widget-test.ts';

const toMarkup = (body: string, styles = '') => `<style>p { margin: 0 } ${styles}</style>${body}`;

/** Audits a page that consists of this markup. */
async function auditMarkup(
  statePage: Parameters<Parameters<typeof test>[2]>[0]['statePage'],
  markup: string,
) {
  await statePage.page.evaluate((html) => {
    document.body.innerHTML = `<main>${html}</main>`;
  }, markup);
  const lines = await statePage.page.evaluate(() => window.auditState());
  return lines.map((line) => line.split(':')[0]);
}

test('the audit reports text that is clipped, but not text that can be scrolled into view', async ({
  statePage,
}) => {
  const words = '<p>All of these words stand in a single line</p>';
  const box = (overflow: string) =>
    toMarkup(
      `<div tabindex="0" role="group" aria-label="Words">${words}</div>`,
      `div { width: 120px; overflow: ${overflow}; white-space: nowrap }`,
    );

  expect(await auditMarkup(statePage, box('hidden'))).toContain('text-spacing');
  expect(await auditMarkup(statePage, box('auto'))).toEqual([]);
  const clippedAtStart = box('auto').replace('<p>', '<p style="margin-left: -60px">');
  expect(await auditMarkup(statePage, clippedAtStart)).toContain('text-spacing');
});

test('the audit reports small targets, animations, and skipped heading levels', async ({
  statePage,
}) => {
  const small = '<button style="width: 12px; height: 12px; padding: 0" aria-label="Go"></button>';
  expect(await auditMarkup(statePage, small)).toContain('target-size');

  const moving = toMarkup(
    '<p class="on">Text</p>',
    '@keyframes on { to { opacity: 0.9 } } .on::before { content: "!"; animation: on 9s infinite }',
  );
  expect(await auditMarkup(statePage, moving)).toContain('motion');

  expect(await auditMarkup(statePage, '<h1>One</h1><h3>Three</h3>')).toContain('heading-order');
});
