/** Two users, one after the other, on one page without a reload. */
import { expect, test } from '../fixtures.ts';

test('the second user sees no data of the first user', async ({ chat, page }) => {
  await chat.ask('My secret is a purple elephant. Also: the weather in Lisbon?');
  await chat.write('a draft that is nobody else’s business');

  await page.getByLabel('Signed in as').selectOption('linus');

  await chat.ready();
  await expect(chat.questions).toHaveCount(0);
  await expect(chat.field).toHaveValue('');
  const remainingTexts = await page.evaluate(() => {
    const texts: string[] = [];
    const walk = (root: ParentNode) => {
      for (const element of root.querySelectorAll('*')) {
        if (element instanceof HTMLTextAreaElement) texts.push(element.value);
        if (element.shadowRoot) {
          texts.push(element.shadowRoot.textContent ?? '');
          walk(element.shadowRoot);
        }
      }
    };
    walk(document);
    const stores = [localStorage, sessionStorage].map((store) => JSON.stringify({ ...store }));
    return [...texts, ...stores].join('\n');
  });
  expect(remainingTexts).not.toContain('purple elephant');
  expect(remainingTexts).not.toContain('nobody else');
});
