/**
 * What those who hear the page are told by itself, recorded over whole conversations: sentences, never
 * fragments, and each thing once. Keys are in keyboard.spec.ts.
 */
import type { JSHandle, Page } from '@playwright/test';
import type { Stage } from '../states/stage.ts';
import { expect, test } from './stage-page.ts';

const story =
  'Your order left Basel this morning. It is on a train to Lucerne now. Tomorrow between 9 and 12 it is at your door.';

/** A chat whose one live region is listened to from the beginning. */
async function listen(page: Page, options: { readonly announce?: 'brief' } = {}) {
  // Ten quiet seconds are not waited for.
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
    const heard: string[] = [];
    const region = chat.shadowRoot?.querySelector('[aria-live=polite]');
    if (!region) throw new Error('Nothing is told.');
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const node of addedNodes) if (node instanceof HTMLElement) heard.push(node.innerText);
      }
    }).observe(region, { childList: true });
    return Object.assign(made, { heard });
  }, options);
  const heard = () => stage.evaluate(({ heard }) => heard.splice(0));
  return { stage, heard };
}

async function say(page: Page, text: string) {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.keyboard.press('Enter');
}

/** Everything that is told up to this, this included. */
async function until(heard: () => Promise<string[]>, last: string): Promise<string[]> {
  const told: string[] = [];
  await expect
    .poll(async () => {
      told.push(...(await heard()));
      return told;
    })
    .toContain(last);
  return told;
}

const release = (stage: JSHandle<Stage>, name: string) =>
  stage.evaluate(({ platform }, gate) => platform.release(gate), name);

test('an answer is told by whole sentences, its long work and its end once', async ({ page }) => {
  const { stage, heard } = await listen(page);
  await say(page, `order ${story}`);
  await expect.poll(heard).toEqual(['Ada is answering']);

  await page.clock.fastForward('00:11');
  await page.clock.fastForward('01:00');
  expect(await heard()).toEqual(['Still working']);

  await release(stage, 'quiet');
  const told = await until(heard, 'End of the answer');
  const sentences = told.slice(0, -1);
  expect(sentences.join(' ')).toBe(`Ada: ${story}`);
  expect(sentences.length).toBeGreaterThan(1);
  for (const each of sentences) expect(each).toMatch(/[.]$/);
  expect(told.filter((each) => each === 'End of the answer')).toHaveLength(1);
});

test('an approval is asked for once, also where the decision did not arrive', async ({ page }) => {
  const { stage, heard } = await listen(page);
  await say(page, 'refund');
  const question = 'Your approval is needed. Pays 49.00 EUR back.';
  const told = await until(heard, question);
  expect(told).toEqual(['Ada is answering', 'Ada: I can do that.', question]);

  await stage.evaluate(({ platform }) => platform.faults.failNext({ status: 400 }, /events$/));
  const allow = page.getByRole('button', { name: 'Allow' });
  await allow.click();
  expect(await until(heard, 'This was not sent. Please try again.')).toHaveLength(1);
  await expect(allow).toBeEnabled();

  await allow.click();
  const rest = await until(heard, 'End of the answer');
  expect(rest.slice(-2)).toEqual(['Ada: That is settled.', 'End of the answer']);
  expect(rest).not.toContain(question);
});

test('what fails is told once: an answer that breaks off, and a message that is not sent', async ({
  page,
}) => {
  const { stage, heard } = await listen(page);
  await say(page, 'break');
  const told = await until(heard, 'The assistant could not answer. Please try again.');
  expect(told).toEqual(expect.arrayContaining(['Ada: I begin. And then', 'The answer broke off']));
  expect(new Set(told).size).toBe(told.length);
  expect(told).not.toContain('End of the answer');

  await stage.evaluate(({ platform }) => platform.faults.failNext({ status: 400 }, /events$/));
  await say(page, 'refund');
  expect(await until(heard, 'Not sent')).toEqual(['Not sent']);
});

test('who wants to hear little is told that there is an answer, and no more', async ({ page }) => {
  const { stage, heard } = await listen(page, { announce: 'brief' });
  await say(page, `order ${story}`);
  await release(stage, 'quiet');

  const told = await until(heard, 'Ada has answered');
  await expect(page.getByRole('button', { name: 'Stop answering' })).toHaveCount(0);
  expect([...told, ...(await heard())]).toEqual(['Ada is answering', 'Ada has answered']);
});
