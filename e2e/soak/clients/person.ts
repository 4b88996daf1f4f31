import { isInlayError } from '@inlay/client';
import { Account } from './account.ts';
import { Browser } from './browser.ts';
import { type Case, judge } from './judge.ts';
import type { Meter } from './meter.ts';
import { Page, type PageOptions } from './page.ts';
import { between, pause, until } from './patience.ts';
import { settle } from './settle.ts';

export interface PersonOptions extends Omit<PageOptions, 'browser' | 'note'> {
  meter: Meter;
  platform: Case['platform'];
}

/** Messages of a conversation. Then it is judged and left, so that what a page holds stays the same. */
const longestConversation = 8;
/** Conversations at the end of the run, for what earlier ones left to be sent. */
const mostLast = 5;

/** Somebody who converses all the time: says things, stops answers, loads pages anew, opens tabs. */
export class Person {
  readonly browser: Browser;
  readonly name: string;
  readonly #options: PersonOptions;
  readonly #pageOptions: PageOptions;
  readonly #page: Page;
  #tab: Page | null = null;
  #account = new Account();
  /** What waits in the tab's storage for a conversation of its own. */
  #left: string[] = [];
  #count = 0;
  #ended = false;

  constructor(options: PersonOptions) {
    this.#options = options;
    this.name = options.person;
    this.browser = new Browser(options.meter);
    const note = (text: string) => this.#account.note(text);
    this.#pageOptions = { ...options, browser: this.browser, note };
    this.#page = new Page(this.#pageOptions);
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  /** What happened last, in words. */
  get lastAct(): string {
    return this.#account.story.slice(-3).join('; ');
  }

  /** Converses until told to end, and ends with a conversation that was judged. */
  async live(signal: AbortSignal): Promise<void> {
    // Two hundred who begin in one moment would go on in step.
    await pause(between(0, 8000), signal);
    while (!signal.aborted) await this.#converse(signal);
    for (let last = 0; last < mostLast && this.#left.length > 0; last += 1) {
      await this.#converse(signal);
    }
    for (const text of this.#left)
      this.#options.tally.lost.push(`"${text}" was kept, and never sent`);
    this.#page.close();
    this.#ended = true;
  }

  async #converse(signal: AbortSignal): Promise<void> {
    try {
      this.#account = new Account(this.#left);
      this.#left = [];
      this.#page.show();
      for (let said = 0; said < longestConversation && !signal.aborted; said += 1) {
        this.#page.revive();
        this.#say();
        await this.#doSomething();
        await pause(between(1000, 6000), signal);
      }
      if (this.#account.expected.length > 0) await this.#end();
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
    const account = this.#account;
    const settled = await settle({ page: this.#page, name: this.name, account, tally, platform });
    this.#left = settled.left;
    if (settled.session === null || account.expected.length === 0) return;
    tally.conversations += 1;
    account.note('is judged');
    const shown = [this.#page, ...(this.#tab ? [this.#tab] : [])];
    await judge({ person: this.name, session: settled.session, account, shown, tally, platform });
  }

  #say(): void {
    const { tally } = this.#options;
    this.#count += 1;
    const text = `${this.name}-${this.#count}`;
    this.#account.say(text);
    this.#tell(`says ${text}`);
    tally.messages += 1;
    this.#page.conversation.send(text).catch((error: unknown) => {
      // What failed shows in the conversation; what a page load broke off is sent by the next page.
      if (!isInlayError(error)) tally.errors.push(`${this.name}: send threw ${error}`);
    });
  }

  async #doSomething(): Promise<void> {
    const { tally } = this.#options;
    const chance = Math.random();
    if (chance < 0.15) return this.#stop();
    if (chance < 0.25 && this.#page.session) {
      tally.reopened += 1;
      this.#tell('opens the conversation again');
      this.#page.show(this.#page.session);
    } else if (chance < 0.32) {
      tally.reloads += 1;
      this.#tell('loads the page anew');
      for (const text of this.#page.reload()) {
        tally.forgotten += 1;
        this.#account.excused.add(text);
        this.#account.note(`${text} was not kept`);
      }
    } else if (chance < 0.4 && this.#page.session && !this.#tab) {
      tally.tabs += 1;
      this.#tell('opens a tab');
      this.#tab = new Page(this.#pageOptions, this.#page.session);
    } else if (chance < 0.9) {
      await until(() => this.#page.shows(this.#account.expected), 15_000);
    }
    // And sometimes the next message comes while this one is being answered.
  }

  async #stop(): Promise<void> {
    await until(() => this.#page.conversation.state.running, 5000);
    await pause(between(0, 1500));
    this.#options.tally.stops += 1;
    this.#tell('stops the answer');
    this.#page.conversation.stop();
  }

  #tell(action: string): void {
    const { lastSeq, session } = this.#page.conversation.state;
    const place = session ? `at ${lastSeq}` : 'no session yet';
    this.#account.note(`${action} (${this.#page.unsent.length} on their way, ${place})`);
  }
}
