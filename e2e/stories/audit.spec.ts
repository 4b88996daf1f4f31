/** The audit of the visual states finds problems, and has no false positives. */
import { expect, test } from './stage-page.ts';

const page = (body: string, styles = '') => `<style>p { margin: 0 } ${styles}</style>${body}`;

/** Audits a page that consists of this markup. */
async function found(frame: Parameters<Parameters<typeof test>[2]>[0]['frame'], markup: string) {
  await frame.page.evaluate((html) => {
    document.body.innerHTML = `<main>${html}</main>`;
  }, markup);
  const lines = await frame.page.evaluate(() => window.auditState());
  return lines.map((line) => line.split(':')[0]);
}

test('reports text that is clipped, but not text that can be scrolled into view', async ({
  frame,
}) => {
  const words = '<p>All of these words stand in a single line</p>';
  const box = (overflow: string) =>
    page(
      `<div tabindex="0" role="group" aria-label="Words">${words}</div>`,
      `div { width: 120px; overflow: ${overflow}; white-space: nowrap }`,
    );

  expect(await found(frame, box('hidden'))).toContain('text-spacing');
  expect(await found(frame, box('auto'))).toEqual([]);
  const before = box('auto').replace('<p>', '<p style="margin-left: -60px">');
  expect(await found(frame, before)).toContain('text-spacing');
});

test('reports small targets, animations, and skipped heading levels', async ({ frame }) => {
  const small = '<button style="width: 12px; height: 12px; padding: 0" aria-label="Go"></button>';
  expect(await found(frame, small)).toContain('target-size');

  const moving = page(
    '<p class="on">Text</p>',
    '@keyframes on { to { opacity: 0.9 } } .on::before { content: "!"; animation: on 9s infinite }',
  );
  expect(await found(frame, moving)).toContain('motion');

  expect(await found(frame, '<h1>One</h1><h3>Three</h3>')).toContain('heading-order');
});
