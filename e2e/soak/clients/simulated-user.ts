import { isInlayError } from '@inlay/client';
import { Browser } from './browser.ts';
import { Expectations } from './expectations.ts';
import { finishConversation } from './finish-conversation.ts';
import type { Meter } from './meter.ts';
import { Page, type PageOptions } from './page.ts';
import { type VerifyOptions, verifyConversation } from './verify-conversation.ts';
import { between, pause, until } from './wait.ts';

export interface SimulatedUserOptions extends Omit<PageOptions, 'browser' | 'note'> {
  meter: Meter;
  platform: VerifyOptions['platform'];
}

/** Messages in a conversation before it is verified and left, so that the memory of a page stays constant. */
const messagesPerConversation = 8;
/** Maximum number of conversations at the end of the run, for messages that are still unsent. */
const maxFinalConversations = 5;

/** A user who sends messages, stops answers, reloads pages and opens tabs until the run ends. */
export class SimulatedUser {
  readonly browser: Browser;
  readonly name: string;
  readonly #options: SimulatedUserOptions;
  readonly #pageOptions: PageOptions;
  readonly #page: Page;
  #tab: Page | null = null;
  #expectations = new Expectations();
  /** Unsent messages in the storage of the tab, for the next conversation. */
  #postponed: string[] = [];
  #count = 0;
  #ended = false;

  constructor(options: SimulatedUserOptions) {
    this.#options = options;
    this.name = options.user;
    this.browser = new Browser(options.meter);
    const note = (text: string) => this.#expectations.note(text);
    this.#pageOptions = { ...options, browser: this.browser, note };
    this.#page = new Page(this.#pageOptions);
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  /** The last three actions. */
  get lastActions(): string {
    return this.#expectations.history.slice(-3).join('; ');
  }

  /** Runs until the signal is aborted and the last conversation is verified. */
  async run(signal: AbortSignal): Promise<void> {
    // The users start at random times, so that they do not all act at the same time.
    await pause(between(0, 8000), signal);
    while (!signal.aborted) await this.#converse(signal);
    for (let last = 0; last < maxFinalConversations && this.#postponed.length > 0; last += 1) {
      await this.#converse(signal);
    }
    for (const text of this.#postponed)
      this.#options.tally.lost.push(`"${text}" was stored, but never sent`);
    this.#page.close();
    this.#ended = true;
  }

  async #converse(signal: AbortSignal): Promise<void> {
    try {
      this.#expectations = new Expectations(this.#postponed);
      this.#postponed = [];
      this.#page.show();
      for (let sent = 0; sent < messagesPerConversation && !signal.aborted; sent += 1) {
        this.#page.recover();
        this.#send();
        await this.#act();
        await pause(between(1000, 6000), signal);
      }
      if (this.#expectations.expected.length > 0) await this.#end();
    } catch (error) {
      const text = error instanceof Error ? error.stack : error;
      this.#options.tally.errors.push(`${this.name}: ${text}`);
      await pause(1000);
    } finally {
      this.#tab?.close();
      this.#tab = null;
    }
  }

  async #end(): Promise<void> {
    const { tally, platform } = this.#options;
    const expectations = this.#expectations;
    const settled = await finishConversation({
      page: this.#page,
      name: this.name,
      expectations,
      tally,
      platform,
    });
    this.#postponed = settled.postponed;
    if (settled.session === null || expectations.expected.length === 0) return;
    tally.conversations += 1;
    expectations.note('is verified');
    const shown = [this.#page, ...(this.#tab ? [this.#tab] : [])];
    await verifyConversation({
      user: this.name,
      session: settled.session,
      expectations,
      shown,
      tally,
      platform,
    });
  }

  #send(): void {
    const { tally } = this.#options;
    this.#count += 1;
    const text = `${this.name}-${this.#count}`;
    this.#expectations.add(text);
    this.#note(`sends ${text}`);
    tally.messages += 1;
    this.#page.conversation.send(text).catch((error: unknown) => {
      // The conversation shows failed messages, and sends those of a reloaded page after the reload.
      if (!isInlayError(error)) tally.errors.push(`${this.name}: send threw ${error}`);
    });
  }

  async #act(): Promise<void> {
    const { tally } = this.#options;
    const chance = Math.random();
    if (chance < 0.15) return this.#stop();
    if (chance < 0.25 && this.#page.session) {
      tally.reopened += 1;
      this.#note('opens the conversation again');
      this.#page.show(this.#page.session);
    } else if (chance < 0.32) {
      tally.reloads += 1;
      this.#note('reloads the page');
      for (const text of this.#page.reload()) {
        tally.notStored += 1;
        this.#expectations.optional.add(text);
        this.#expectations.note(`${text} was not stored`);
      }
    } else if (chance < 0.4 && this.#page.session && !this.#tab) {
      tally.tabs += 1;
      this.#note('opens a tab');
      this.#tab = new Page(this.#pageOptions, this.#page.session);
    } else if (chance < 0.9) {
      await until(() => this.#page.shows(this.#expectations.expected), 15_000);
    }
    // Otherwise, the next message is sent during the answer.
  }

  async #stop(): Promise<void> {
    await until(() => this.#page.conversation.state.running, 5000);
    await pause(between(0, 1500));
    this.#options.tally.stops += 1;
    this.#note('stops the answer');
    this.#page.conversation.stop();
  }

  #note(action: string): void {
    const { lastSeq, session } = this.#page.conversation.state;
    const position = session ? `at ${lastSeq}` : 'no session yet';
    this.#expectations.note(`${action} (${this.#page.unsent.length} unsent, ${position})`);
  }
}
