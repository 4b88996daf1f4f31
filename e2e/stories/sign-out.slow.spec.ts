/** Signing out on a page without a reload. */
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';

/** Collects all texts of a page: visible text, fields, attributes and storage. */
function textsOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const texts: string[] = [document.title, location.href, document.cookie];
    const walk = (root: ParentNode) => {
      texts.push(root.textContent ?? '');
      for (const element of root.querySelectorAll('*')) {
        for (const { value } of element.attributes) texts.push(value);
        if (element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement) {
          texts.push(element.value);
        }
        if (element.shadowRoot) walk(element.shadowRoot);
      }
    };
    walk(document);
    for (const store of [localStorage, sessionStorage]) texts.push(JSON.stringify({ ...store }));
    texts.push(JSON.stringify(history.state));
    return texts.join('\n');
  });
}

/** Takes a heap snapshot after a garbage collection. */
async function heapSnapshotOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await session.detach();
  return chunks.join('');
}

test('after signing out, no data of the user is on screen, in memory, drafts or storage', async ({
  chat,
  page,
}) => {
  // Typed with key events, because arguments of `evaluate()` stay in the memory of the page.
  await chat.field.click();
  await page.keyboard.type('My secret is a purple elephant.');
  await page.keyboard.press('Enter');
  await expect(chat.questions).toHaveCount(1);
  await chat.settled();
  await page.keyboard.type('nobody else reads this draft');
  await expect(chat.field).toHaveValue(/nobody else/);
  expect(await textsOf(page)).toContain('purple elephant');
  expect(await heapSnapshotOf(page)).toContain('purple elephant');

  await page.getByLabel('Signed in as').selectOption('Nobody');

  await expect(chat.status).toContainText('Sign in to chat');
  await expect(chat.questions).toHaveCount(0);
  await expect(chat.answers).toHaveCount(0);
  await expect(chat.field).toHaveCount(0);
  const pageTexts = await textsOf(page);
  expect(pageTexts).not.toContain('purple elephant');
  expect(pageTexts).not.toContain('nobody else');
  const isInMemory = async () =>
    /purple elephant|nobody else reads/.test(await heapSnapshotOf(page));
  // Repeated, because an answer stays in memory while a module that renders it is being loaded.
  await expect.poll(isInMemory, { timeout: 60_000 }).toBe(false);
});
