/**
 * Announcements of the live region over complete conversations: whole sentences, each once. Keyboard
 * operation is tested in keyboard.spec.ts.
 */
import type { JSHandle, Page } from '@playwright/test';
import type { Stage } from '../states/stage.ts';
import { expect, test } from './stage-page.ts';

const story =
  'Your order left Basel this morning. It is on a train to Lucerne now. Tomorrow between 9 and 12 it is at your door.';

/** Opens a chat, and records its live region from the start. */
async function listen(page: Page, options: { readonly announce?: 'brief' } = {}) {
  // A fake clock skips the ten seconds before the first progress announcement.
  await page.clock.install();
  const stage = await page.evaluateHandle(async (more) => {
    const made = window.openStage();
    made.platform.answer = ({ text }) => {
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
    const chat = await made.chat(more);
    await made.sees('how can I help');
    const announcements: string[] = [];
    const region = chat.shadowRoot?.querySelector('[aria-live=polite]');
    if (!region) throw new Error('There is no live region.');
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const node of addedNodes)
          if (node instanceof HTMLElement) announcements.push(node.innerText);
      }
    }).observe(region, { childList: true });
    return Object.assign(made, { announcements });
  }, options);
  const announcements = () => stage.evaluate(({ announcements }) => announcements.splice(0));
  return { stage, announcements };
}

async function say(page: Page, text: string) {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.keyboard.press('Enter');
}

/** Returns all announcements up to and including `last`. */
async function until(announcements: () => Promise<string[]>, last: string): Promise<string[]> {
  const told: string[] = [];
  await expect
    .poll(async () => {
      told.push(...(await announcements()));
      return told;
    })
    .toContain(last);
  return told;
}

const release = (stage: JSHandle<Stage>, name: string) =>
  stage.evaluate(({ platform }, gate) => platform.release(gate), name);

test('an answer is announced by whole sentences, its progress and end once', async ({ page }) => {
  const { stage, announcements } = await listen(page);
  await say(page, `order ${story}`);
  await expect.poll(announcements).toEqual(['Ada is answering']);

  await page.clock.fastForward('00:11');
  await page.clock.fastForward('01:00');
  expect(await announcements()).toEqual(['Still working']);

  await release(stage, 'quiet');
  const told = await until(announcements, 'End of the answer');
  const sentences = told.slice(0, -1);
  expect(sentences.join(' ')).toBe(`Ada: ${story}`);
  expect(sentences.length).toBeGreaterThan(1);
  for (const each of sentences) expect(each).toMatch(/[.]$/);
  expect(told.filter((each) => each === 'End of the answer')).toHaveLength(1);
});

test('an approval request is announced once, even if the decision could not be sent', async ({
  page,
}) => {
  const { stage, announcements } = await listen(page);
  await say(page, 'refund');
  const question = 'Your approval is needed. Pays 49.00 EUR back.';
  const told = await until(announcements, question);
  expect(told).toEqual(['Ada is answering', 'Ada: I can do that.', question]);

  await stage.evaluate(({ platform }) => platform.faults.failNext({ status: 400 }, /events$/));
  const allow = page.getByRole('button', { name: 'Allow' });
  await allow.click();
  expect(await until(announcements, 'Not sent. Try again.')).toHaveLength(1);
  await expect(allow).toBeEnabled();

  await allow.click();
  const rest = await until(announcements, 'End of the answer');
  expect(rest.slice(-2)).toEqual(['Ada: That is settled.', 'End of the answer']);
  expect(rest).not.toContain(question);
});

test('an interrupted answer and an unsent message are each announced once', async ({ page }) => {
  const { stage, announcements } = await listen(page);
  await say(page, 'break');
  const told = await until(announcements, 'The assistant couldn’t answer. Try again.');
  expect(told).toEqual(expect.arrayContaining(['Ada: I begin. And then', 'Answer interrupted']));
  expect(new Set(told).size).toBe(told.length);
  expect(told).not.toContain('End of the answer');

  await stage.evaluate(({ platform }) => platform.faults.failNext({ status: 400 }, /events$/));
  await say(page, 'refund');
  expect(await until(announcements, 'Not sent')).toEqual(['Not sent']);
});

test('with announce="brief", only the arrival of an answer is announced', async ({ page }) => {
  const { stage, announcements } = await listen(page, { announce: 'brief' });
  await say(page, `order ${story}`);
  await release(stage, 'quiet');

  const told = await until(announcements, 'Ada has answered');
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0);
  expect([...told, ...(await announcements())]).toEqual(['Ada is answering', 'Ada has answered']);
});
