import { expect, type Locator, type Page } from '@playwright/test';

/** Page object of a page with the chat. */
export class ChatPage {
  readonly page: Page;
  readonly field: Locator;
  readonly stop: Locator;
  readonly questions: Locator;
  readonly answers: Locator;
  /** File input of “Attach files”. */
  readonly files: Locator;
  /** Status line that explains why the user cannot continue. */
  readonly status: Locator;

  constructor(page: Page) {
    this.page = page;
    const chat = page.locator('inlay-chat');
    this.field = chat.getByRole('textbox', { name: /message/i });
    this.stop = chat.getByRole('button', { name: 'Stop', exact: true });
    this.questions = chat.locator('inlay-user-message');
    this.answers = chat.locator('inlay-agent-message');
    this.files = chat.locator('input[type="file"]');
    this.status = chat.locator('inlay-status');
  }

  /** Waits until the user can write a message. */
  async ready(): Promise<void> {
    await expect(this.field).toBeEditable();
  }

  /** Writes a draft without sending it. */
  async write(text: string): Promise<void> {
    await this.field.fill(text);
  }

  async say(text: string): Promise<void> {
    await this.write(text);
    await this.field.press('Enter');
  }

  /** Attaches files, and waits for the uploads, because the composer does not send incomplete files. */
  async attach(files: Parameters<Locator['setInputFiles']>[0]): Promise<void> {
    await this.files.setInputFiles(files);
    const attachments = this.page.locator('inlay-attachments');
    await expect(attachments.getByRole('listitem').first()).toBeVisible();
    await expect(attachments.getByRole('progressbar')).toHaveCount(0);
  }

  /** Sends a message and waits for the complete answer. */
  async ask(text: string): Promise<void> {
    const before = await this.messages();
    await this.say(text);
    await expect.poll(() => this.messages()).toBeGreaterThan(before + 1);
    await this.settled();
  }

  /** Number of messages in the conversation, including messages that are not rendered. */
  async messages(): Promise<number> {
    const last = this.page.locator('inlay-chat').getByRole('article').last();
    if ((await last.count()) === 0) return 0;
    return Number(await last.getAttribute('aria-setsize'));
  }

  /** Waits until the agent has finished. */
  async settled(): Promise<void> {
    await expect(this.stop).toHaveCount(0);
    await expect(
      this.answers.last().getByRole('button', { name: 'Copy message', exact: true }).last(),
    ).toBeAttached();
  }

  /** Waits until a part of an answer is shown and the agent is still running. */
  async streaming(): Promise<void> {
    await expect(this.answers.last()).toContainText(/\w{3}/);
    await expect(this.stop).toBeVisible();
  }

  /** Texts of the rendered messages in order. */
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
