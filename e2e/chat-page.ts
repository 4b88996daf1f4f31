import { expect, type Locator, type Page } from '@playwright/test';

/** A page with the chat in it, as a person uses it. */
export class ChatPage {
  readonly page: Page;
  readonly field: Locator;
  readonly stop: Locator;
  readonly questions: Locator;
  readonly answers: Locator;
  /** What a press of “Attach files” opens. */
  readonly files: Locator;
  /** The one line that says why the person can't go on. */
  readonly status: Locator;

  constructor(page: Page) {
    this.page = page;
    const chat = page.locator('inlay-chat');
    this.field = chat.getByRole('textbox', { name: 'Message', exact: true });
    this.stop = chat.getByRole('button', { name: 'Stop answering' });
    this.questions = chat.locator('inlay-user-message');
    this.answers = chat.locator('inlay-agent-message');
    this.files = chat.locator('input[type="file"]');
    this.status = chat.locator('inlay-status');
  }

  async ready(): Promise<void> {
    await expect(this.field).toBeEditable();
  }

  async write(text: string): Promise<void> {
    await this.field.fill(text);
  }

  async say(text: string): Promise<void> {
    await this.write(text);
    await this.field.press('Enter');
  }

  /** Asks, and waits until the whole answer is there. */
  async ask(text: string): Promise<void> {
    const before = await this.messages();
    await this.say(text);
    await expect.poll(() => this.messages()).toBeGreaterThan(before + 1);
    await this.settled();
  }

  /** How many messages the conversation has: those far from the view are not in the page. */
  async messages(): Promise<number> {
    const last = this.page.locator('inlay-chat').getByRole('article').last();
    if ((await last.count()) === 0) return 0;
    return Number(await last.getAttribute('aria-setsize'));
  }

  /** The agent has finished: there is nothing to stop. */
  async settled(): Promise<void> {
    await expect(this.stop).toHaveCount(0);
    await expect(
      this.answers.last().getByRole('button', { name: 'Copy', exact: true }).last(),
    ).toBeAttached();
  }

  /** Something of an answer is on the screen, and more is coming. */
  async streaming(): Promise<void> {
    await expect(this.answers.last()).toContainText(/\w{3}/);
    await expect(this.stop).toBeVisible();
  }

  /** All that was said, in order, as text. */
  async transcript(): Promise<string[]> {
    return this.page
      .locator('inlay-chat')
      .locator('inlay-user-message, inlay-agent-message')
      .allInnerTexts();
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }
}
