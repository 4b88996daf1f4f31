/**
 * Announcements of the live region during complete conversations: whole sentences, each announced once.
 * Keyboard operation is tested in keyboard.slow.spec.ts.
 */
import type { JSHandle, Page } from '@playwright/test';
import type { TestPage } from '../states/test-page.ts';
import { expect, test } from './widget-test.ts';

/** The answer to a message that quotes it after `order `. */
const answerText =
  'Your order left Basel this morning. It is on a train to Lucerne now. Tomorrow between 9 and 12 it is at your door.';

/** Opens a chat, and records its live region from the start. */
async function openChat(page: Page, options: { readonly announce?: 'brief' } = {}) {
  // A fake clock skips the ten seconds before the first progress announcement.
  await page.clock.install();
  const testPage = await page.evaluateHandle(async (more) => {
    const testPage = window.openTestPage();
    testPage.platform.answer = ({ text }) => {
      if (/order/.test(text)) return [{ hold: 'quiet' }, ...slowly(text.slice(6))];
      if (/refund/.test(text)) {
        const explanation = 'Pays 49.00 EUR back.';
        const call = { call: 'refund_order', permission: 'ask', explanation } as const;
        return [{ wait_ms: 100 }, { say: 'I can do that.' }, call, { say: 'That is settled.' }];
      }
      return [
        { wait_ms: 100 },
        { say: 'I begin. And then' },
        { fail: 'as it was told to', retryable: true },
      ];
    };
    const slowly = (words: string) => [{ say: words.split(/(?<= )/), delay_ms: 150 }];
    const chat = await testPage.chat(more);
    await testPage.waitForText('how can I help');
    const announcements: string[] = [];
    const region = chat.shadowRoot?.querySelector('[aria-live=polite]');
    if (!region) throw new Error('There is no live region.');
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const node of addedNodes)
          if (node instanceof HTMLElement) announcements.push(node.innerText);
      }
    }).observe(region, { childList: true });
    return Object.assign(testPage, { announcements });
  }, options);
  const announcements = () => testPage.evaluate(({ announcements }) => announcements.splice(0));
  return { testPage, announcements };
}

async function say(page: Page, text: string) {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.keyboard.press('Enter');
}

/** Returns all announcements up to and including `last`. */
async function until(announcements: () => Promise<string[]>, last: string): Promise<string[]> {
  const announced: string[] = [];
  await expect
    .poll(async () => {
      announced.push(...(await announcements()));
      return announced;
    })
    .toContain(last);
  return announced;
}

const release = (testPage: JSHandle<TestPage>, name: string) =>
  testPage.evaluate(({ platform }, gate) => platform.release(gate), name);

test('the sentences of an answer, its progress and its end are each announced once', async ({
  page,
}) => {
  const { testPage, announcements } = await openChat(page);
  await say(page, `order ${answerText}`);
  await expect.poll(announcements).toEqual(['Ada is answering']);

  await page.clock.fastForward('00:11');
  await page.clock.fastForward('01:00');
  expect(await announcements()).toEqual(['Still working']);

  await release(testPage, 'quiet');
  const announced = await until(announcements, 'End of the answer');
  const sentences = announced.slice(0, -1);
  expect(sentences.join(' ')).toBe(`Ada: ${answerText}`);
  expect(sentences.length).toBeGreaterThan(1);
  for (const each of sentences) expect(each).toMatch(/[.]$/);
  expect(announced.filter((each) => each === 'End of the answer')).toHaveLength(1);
});

test('an approval request is announced once, even if the decision could not be sent', async ({
  page,
}) => {
  const { testPage, announcements } = await openChat(page);
  await say(page, 'refund');
  const question = 'Your approval is needed. Pays 49.00 EUR back.';
  const announced = await until(announcements, question);
  expect(announced).toEqual(['Ada is answering', 'Ada: I can do that.', question]);

  await testPage.evaluate(({ platform }) => platform.faults.failNext({ status: 400 }, /events$/));
  const allow = page.getByRole('button', { name: 'Allow' });
  await allow.click();
  expect(await until(announcements, 'Not sent. Try again.')).toHaveLength(1);
  await expect(allow).toBeEnabled();

  await allow.click();
  const remainingAnnouncements = await until(announcements, 'End of the answer');
  expect(remainingAnnouncements.slice(-2)).toEqual(['Ada: That is settled.', 'End of the answer']);
  expect(remainingAnnouncements).not.toContain(question);
});

test('an interrupted answer and an unsent message are each announced once', async ({ page }) => {
  const { testPage, announcements } = await openChat(page);
  await say(page, 'break');
  const announced = await until(announcements, 'Answer interrupted');
  expect(announced).toEqual(
    expect.arrayContaining(['Ada: I begin. And then', 'Answer interrupted']),
  );
  expect(new Set(announced).size).toBe(announced.length);
  expect(announced).not.toContain('End of the answer');

  await testPage.evaluate(({ platform }) => platform.faults.failNext({ status: 400 }, /events$/));
  await say(page, 'refund');
  expect(await until(announcements, 'Not sent')).toEqual(['Not sent']);
});

test('with announce="brief", only the start and the end of an answer are announced', async ({
  page,
}) => {
  const { testPage, announcements } = await openChat(page, { announce: 'brief' });
  await say(page, `order ${answerText}`);
  await release(testPage, 'quiet');

  const announced = await until(announcements, 'Ada has answered');
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0);
  expect([...announced, ...(await announcements())]).toEqual([
    'Ada is answering',
    'Ada has answered',
  ]);
});
