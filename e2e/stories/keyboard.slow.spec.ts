/**
 * Operation of the whole widget with the keyboard, in a real browser. After each action, the focus is on
 * the next element to use. Announcements are tested in announcements.slow.spec.ts.
 */
import type { Page } from '@playwright/test';
import { expect, focused, tabTo, test } from './widget-test.ts';

/** Opens a page with a launcher whose agent has all features. */
function open(page: Page) {
  return page.evaluate(async () => {
    const testPage = window.openTestPage();
    testPage.configure({
      consent: { text: 'We keep what you write for 30 days.' },
      features: {
        ...{ attachments: true, feedback: true, threads: true, edit: true },
        ...{ export: true, delete: true, forget_me: true },
      },
      modes: [
        { id: 'quick', label: 'Quick' },
        { id: 'thorough', label: 'Thorough' },
      ],
    });
    testPage.platform.answer = ({ text }) => {
      if (/refund/.test(text)) {
        const call = {
          call: 'refund_order',
          input: { order: '10482' },
          permission: 'ask',
        } as const;
        return [{ say: 'I can do that.' }, call, { say: 'That is settled.' }];
      }
      if (/back/.test(text)) {
        const blocks = [
          { type: 'field', name: 'reason', label: 'Reason', kind: 'text', required: true },
          { type: 'buttons', buttons: [{ label: 'Send', action: 'go', style: 'primary' }] },
        ];
        return [{ call: 'show_card', input: { title: 'Return', blocks } }, { say: 'Fill it in.' }];
      }
      if (/long/.test(text)) return [{ say: 'It is long' }, { hold: 'rest' }];
      if (/next/.test(text)) {
        return [{ say: 'Well.' }, { call: 'suggest_replies', input: { prompts: ['And then?'] } }];
      }
      return `You said ${text}`;
    };
    await testPage.launcher({
      commands: [
        { name: 'order', description: 'Where an order is', takesInput: true },
        { name: 'person', prompt: 'Can I talk to a person?' },
      ],
      findMentions: () => [
        { id: 'u1', label: 'Ada' },
        { id: 'u2', label: 'Grace' },
      ],
    });
  });
}

/** Opens the panel and accepts the terms. */
async function acceptTerms(page: Page) {
  await open(page);
  await tabTo(page, 'Open chat');
  await page.keyboard.press('Enter');
  const accept = page.getByRole('button', { name: 'Accept and continue' });
  await expect(accept).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(field(page)).toBeFocused();
}

const field = (page: Page) => page.getByRole('textbox', { name: /message/i });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function say(page: Page, text: string, answer: string) {
  await expect(field(page)).toBeFocused();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await expect(page.getByText(answer).last()).toBeVisible();
  await expect(button(page, 'Stop')).toHaveCount(0);
}

/** Moves the focus from the text field into the last message of a speaker. Each message is one tab stop. */
async function enterMessage(page: Page, speaker: string) {
  for (let steps = 0; steps < 4; steps += 1) {
    await page.keyboard.press('Shift+Tab');
    if ((await focused(page)).startsWith(`div: ${speaker}, `)) break;
  }
  await page.keyboard.press('Enter');
}

test.describe('with the keyboard,', () => {
  test('the panel opens, a suggestion starts the conversation, and Escape closes the panel', async ({
    page,
  }) => {
    await acceptTerms(page);

    await tabTo(page, 'Where is my order?', 'Shift+Tab');
    await page.keyboard.press('Enter');

    await expect(page.getByText('You said Where is order 10482?').first()).toBeVisible();
    await expect(field(page)).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(button(page, 'Open chat')).toBeFocused();
  });

  test('Escape stops a running answer instead of closing the panel', async ({ page }) => {
    await acceptTerms(page);
    await page.keyboard.type('a long one');
    await page.keyboard.press('Enter');
    await expect(page.getByText('It is long').first()).toBeVisible();

    await page.keyboard.press('Escape');

    await expect(page.getByText('Stopped').first()).toBeVisible();
    await expect(field(page)).toBeFocused();
  });

  test('messages can be focused, copied, rated with reasons, and regenerated', async ({ page }) => {
    await page
      .context()
      .grantPermissions(['clipboard-read', 'clipboard-write'])
      .catch(() => {});
    await acceptTerms(page);
    await say(page, 'one', 'You said one');
    await say(page, 'two', 'You said two');

    await tabTo(page, 'Conversation', 'Shift+Tab');
    await page.keyboard.press('Alt+PageUp');
    await expect.poll(() => focused(page)).toMatch(/^div: Ada/);
    await page.keyboard.press('Alt+PageUp');
    await expect.poll(() => focused(page)).toMatch(/^div: You/);
    await page.keyboard.press('Home');
    await page.keyboard.press('End');
    await expect.poll(() => focused(page)).toMatch(/^div: Ada/);

    // A row of actions is one tab stop.
    await page.keyboard.press('Enter');
    await expect(button(page, 'Copy message').last()).toBeFocused();
    await page.keyboard.press('End');
    await expect(button(page, 'Bad answer').last()).toBeFocused();
    await page.keyboard.press('Enter');
    await tabTo(page, 'Incomplete');
    await page.keyboard.press('Space');
    await expect(button(page, 'Incomplete')).toHaveAttribute('aria-pressed', 'true');
    await tabTo(page, 'Send feedback');
    await page.keyboard.press('Enter');
    await expect(button(page, 'Bad answer').last()).toBeFocused();

    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await expect(button(page, 'Read aloud').last()).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect(button(page, 'Regenerate')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('group', { name: 'Version 2 of 2' })).toBeVisible();
    await expect(field(page)).toBeFocused();
  });

  test('a message can be edited, and the previous version shown again', async ({ page }) => {
    await acceptTerms(page);
    await say(page, 'one', 'You said one');

    await enterMessage(page, 'You');
    await page.keyboard.press('ArrowRight');
    await expect(button(page, 'Edit')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('textbox', { name: 'Edit your message' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(button(page, 'Edit')).toBeFocused();
    await page.keyboard.press('Enter');
    await page.keyboard.type(' more');
    await page.keyboard.press('Enter');
    await expect(page.getByText('You said one more').first()).toBeVisible();
    await expect(field(page)).toBeFocused();

    await enterMessage(page, 'You');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect(button(page, 'Previous version')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('group', { name: 'Version 1 of 2' })).toBeVisible();
    await expect(button(page, 'Previous version')).toBeFocused();
  });

  test('selected text can be quoted', async ({ page }) => {
    await acceptTerms(page);
    await say(page, 'one', 'You said one');
    await page.evaluate(() => {
      const paragraph = (root: ParentNode): Element | undefined =>
        [...root.querySelectorAll('*')]
          .map((each) => (each.shadowRoot ? paragraph(each.shadowRoot) : each))
          .find((each) => each?.matches('p') && each.textContent === 'You said one');
      getSelection()?.selectAllChildren(paragraph(document) as Element);
    });
    await expect(button(page, 'Quote')).toBeVisible();

    await page.keyboard.press('Alt+q');

    await expect(field(page)).toBeFocused();
    await expect(field(page)).toHaveValue('> You said one\n\n');
  });

  test('a tool call can be allowed, or denied with a reason', async ({ page }) => {
    await acceptTerms(page);
    await page.keyboard.type('refund');
    await page.keyboard.press('Enter');
    await expect(button(page, 'Allow')).toBeVisible();
    await tabTo(page, 'Allow', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByText('You allowed this.').first()).toBeVisible();
    await expect(field(page)).toBeFocused();

    await page.keyboard.type('refund once more');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Deny', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toContain('Why not?');
    await page.keyboard.press('Escape');
    await expect(button(page, 'Deny')).toBeFocused();
    await page.keyboard.press('Enter');
    await page.keyboard.type('I want a voucher.');
    await page.keyboard.press('Enter');
    await expect(page.getByText('You denied this: I want a voucher.').first()).toBeVisible();
    await expect(field(page)).toBeFocused();
  });

  test('the focus moves to an empty required field of a card, which can then be filled and sent', async ({
    page,
  }) => {
    await acceptTerms(page);
    await say(page, 'back', 'Fill it in.');

    await tabTo(page, 'Send', 'Shift+Tab');
    await page.keyboard.press('Enter');
    const reason = page.getByRole('textbox', { name: 'Reason' });
    await expect(reason).toBeFocused();
    await expect(reason).toHaveAccessibleDescription('This field is required.');
    await page.keyboard.type('It is broken.');
    await page.keyboard.press('Enter');

    await expect(page.getByText('Sent', { exact: true }).first()).toBeVisible();
    await expect(field(page)).toBeFocused();
  });

  test('files can be attached and removed', async ({ page }) => {
    // The handler is registered first, because otherwise the browser opens its own file dialog.
    const chooser = page.waitForEvent('filechooser');
    await acceptTerms(page);
    await tabTo(page, 'Attach files');

    await page.keyboard.press('Enter');
    await (await chooser).setFiles({
      name: 'invoice.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF'),
    });

    await expect(page.getByText('invoice.pdf').first()).toBeVisible();
    await expect(field(page)).toBeFocused();
    await tabTo(page, 'Remove invoice.pdf', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByText('invoice.pdf')).toHaveCount(0);
    await expect(field(page)).toBeFocused();
  });

  test('commands, mentions and modes can be chosen', async ({ page }) => {
    await acceptTerms(page);
    await page.keyboard.type('/');
    await expect(page.getByRole('option', { name: '/order' })).toHaveAttribute(
      'aria-selected',
      'true',
    );
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect(field(page)).toHaveValue('/order ');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('ask @');
    await expect(page.getByRole('option', { name: 'Ada' })).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await expect(field(page)).toHaveValue('ask @Grace ');

    await page.keyboard.type('/');
    await page.keyboard.press('Tab');
    await tabTo(page, 'Response mode');
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('combobox', { name: 'Response mode' })).toHaveValue('thorough');
  });

  test('conversations can be searched, renamed, deleted and opened', async ({ page }) => {
    await acceptTerms(page);
    await say(page, 'one', 'You said one');
    await tabTo(page, 'Show conversations', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('searchbox')).toBeFocused();
    await page.keyboard.type('one');

    await tabTo(page, 'Actions for one');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeFocused();
    await page.keyboard.press('Enter');
    await page.keyboard.type('Mine');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Mine').first()).toBeVisible();
    await expect(button(page, 'Actions for Mine')).toBeFocused();

    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await expect(button(page, 'Cancel')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(button(page, 'Actions for Mine')).toBeFocused();
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Delete');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Mine')).toHaveCount(0);
    await expect(page.getByRole('searchbox')).toBeFocused();

    await page.keyboard.press('Escape');
    await expect(button(page, 'Show conversations')).toBeFocused();
  });

  test('the menu supports arrow keys, asks for confirmation, and returns the focus to its button or the field', async ({
    page,
  }) => {
    await acceptTerms(page);
    await say(page, 'one', 'You said one');
    await tabTo(page, 'More', 'Shift+Tab');
    await page.keyboard.press('Enter');
    const item = (name: string) => page.getByRole('menuitem', { name });
    await expect(item('Export as Markdown')).toBeFocused();
    await page.keyboard.press('End');
    await expect(item('Delete my data')).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect(button(page, 'Cancel')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(button(page, 'More')).toBeFocused();

    await page.keyboard.press('Enter');
    await expect(item('Export as Markdown')).toBeFocused();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect(button(page, 'Cancel')).toBeFocused();
    await tabTo(page, 'Delete');
    await page.keyboard.press('Enter');

    await expect(page.getByText('how can I help').first()).toBeVisible();
    await expect(field(page)).toBeFocused();
  });

  test('a follow-up suggestion can be sent', async ({ page }) => {
    await acceptTerms(page);
    await say(page, 'what next', 'Well.');
    await tabTo(page, 'And then?', 'Shift+Tab');

    await page.keyboard.press('Enter');

    await expect(page.getByText('You said And then?').first()).toBeVisible();
    await expect(field(page)).toBeFocused();
  });

  test('each banner has a control with which the user can continue', async ({ page }) => {
    const testPage = await page.evaluateHandle(async () => {
      const testPage = Object.assign(window.openTestPage(), { welcome: false });
      const { platform, user } = testPage;
      await testPage.chat({
        getToken: async () => (testPage.welcome ? platform.issue(user) : null),
      });
      return testPage;
    });
    await tabTo(page, 'Try again');
    await page.keyboard.press('Enter');
    await expect(button(page, 'Try again')).toBeEnabled();
    await testPage.evaluate((testPage) => {
      testPage.welcome = true;
      testPage.platform.answer = 'Good morning.';
    });
    await tabTo(page, 'Try again');
    await page.keyboard.press('Enter');
    await say(page, 'one', 'Good morning.');

    await testPage.evaluate(({ platform }) => {
      const [session] = platform.sessions;
      session?.append({ type: 'session.status_terminated' });
    });
    await expect(page.getByText('This conversation has ended').first()).toBeVisible();
    await tabTo(page, 'New conversation', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByText('how can I help').first()).toBeVisible();
    await expect(field(page)).toBeFocused();
  });

  test('the Tab key moves through the whole widget and out of it', async ({ page }) => {
    await acceptTerms(page);
    await say(page, 'one', 'You said one');
    await page.keyboard.press('Control+Home');

    await tabTo(page, 'Close chat');
    await page.evaluate(() => document.body.append(document.createElement('button')));
    const visited: string[] = [];
    while (visited.at(-1) !== 'button: ' && visited.length < 40) {
      await page.keyboard.press('Tab');
      visited.push(await focused(page));
    }
    expect(visited.at(-1)).toBe('button: ');
  });
});
