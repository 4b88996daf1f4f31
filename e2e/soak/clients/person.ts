import { isInlayError } from '@inlay/client';
import { Browser } from './browser.ts';
import { type Case, judge, rawOf } from './judge.ts';
import type { Meter } from './meter.ts';
import { Page, type PageOptions } from './page.ts';
import { between, pause, until } from './patience.ts';
import { readLog } from './read-log.ts';
import { keepEvidence } from './tally.ts';

export interface PersonOptions extends Omit<PageOptions, 'browser'> {
  meter: Meter;
  platform: Case['platform'];
}

/** Messages of a conversation. Then it is judged and left, so that what a page holds stays the same. */
const longestConversation = 8;
/** Milliseconds in which everything that was said has to be in the log, whatever the network does. */
const patience = 150_000;

/** Somebody who converses all the time: says things, stops answers, loads pages anew, opens tabs. */
export class Person {
  readonly browser: Browser;
  readonly name: string;
  readonly #options: PersonOptions;
  readonly #page: Page;
  #tab: Page | null = null;
  #said: string[] = [];
  /** Of those, what was sent again by hand, and may stand in the log behind what was said later. */
  readonly #repeated = new Set<string>();
  /** What a page load took away. It may be in the log or not. */
  readonly #forgotten = new Set<string>();
  /** What the person did in this conversation. */
  #story: string[] = [];
  #count = 0;

  constructor(options: PersonOptions) {
    this.#options = options;
    this.name = options.person;
    this.browser = new Browser(options.meter);
    this.#page = new Page({ ...options, browser: this.browser });
  }

  /** Converses until told to end, and ends with a conversation that was judged. */
  async live(signal: AbortSignal): Promise<void> {
    const { tally } = this.#options;
    // Two hundred who begin in one moment would go on in step.
    await pause(between(0, 8000), signal);
    while (!signal.aborted) {
      try {
        await this.#converse(signal);
      } catch (error) {
        tally.errors.push(`${this.name}: ${error instanceof Error ? error.stack : error}`);
        await pause(1000, signal);
      }
    }
    this.#page.close();
  }

  async #converse(signal: AbortSignal): Promise<void> {
    const { tally, platform } = this.#options;
    this.#said = [];
    this.#repeated.clear();
    this.#forgotten.clear();
    this.#story = [];
    this.#page.show();
    while (this.#said.length < longestConversation && !signal.aborted) {
      this.#say();
      await this.#doSomething();
      await pause(between(1000, 6000), signal);
    }
    try {
      const session = await this.#settle();
      if (this.#expected.length === 0) return;
      tally.conversations += 1;
      if (!session) return;
      const shown = [this.#page, ...(this.#tab ? [this.#tab] : [])].map(
        (page) => page.conversation,
      );
      const [person, said, story] = [this.name, this.#expected, this.#story];
      const [repeated, forgotten] = [this.#repeated, this.#forgotten];
      await judge({ person, session, said, repeated, forgotten, story, shown, tally, platform });
    } finally {
      this.#tab?.close();
      this.#tab = null;
    }
  }

  #say(): void {
    const { tally } = this.#options;
    this.#count += 1;
    const text = `${this.name}-${this.#count}`;
    this.#said.push(text);
    this.#tell(`says ${text}`);
    tally.messages += 1;
    this.#page.conversation.send(text).catch((error: unknown) => {
      // Of a page that was loaded anew: the next one sends what it kept.
      if (isInlayError(error) && error.code === 'CLOSED') return;
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
        this.#forgotten.add(text);
        this.#story.push(`${text} was not kept`);
      }
    } else if (chance < 0.4 && this.#page.session && !this.#tab) {
      tally.tabs += 1;
      this.#tell('opens a tab');
      this.#tab = new Page({ ...this.#options, browser: this.browser }, this.#page.session);
    } else if (chance < 0.9) {
      await until(() => this.#isAnswered(), 15_000);
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

  /** What has to be in the log. */
  get #expected(): string[] {
    return this.#said.filter((text) => !this.#forgotten.has(text));
  }

  #tell(action: string): void {
    const { state } = this.#page.conversation;
    const open = state.entries.filter(
      (entry) => entry.kind === 'user' && entry.delivery !== 'sent',
    );
    const session = state.session ? '' : ', no session yet';
    const at = new Date().toISOString().slice(14, 23);
    this.#story.push(
      `${at} ${action} (${open.length} on their way, at ${state.lastSeq}${session})`,
    );
  }

  #isAnswered(): boolean {
    const { state } = this.#page.conversation;
    const sent = state.entries.flatMap((entry) =>
      entry.kind === 'user' && entry.delivery === 'sent' ? entry.text : [],
    );
    return !state.running && !state.loading && this.#expected.every((text) => sent.includes(text));
  }

  /** Waits until all is said and answered, and gives the session; null when that does not come. */
  async #settle(): Promise<string | null> {
    const { tally, platform } = this.#options;
    const isSettled = await until(
      () => {
        this.#sendFailedAgain();
        return this.#isAnswered();
      },
      patience,
      250,
    );
    const { state } = this.#page.conversation;
    if (isSettled && state.session) return state.session.id;
    const log = state.session
      ? await readLog(platform.baseUrl, state.session.id, () => platform.backend.issue(this.name))
      : [];
    const [name, story] = [this.name, this.#story];
    keepEvidence(tally, { name, story, shown: rawOf(this.#page.conversation), wanted: [], log });
    const open = state.entries.flatMap((entry) =>
      entry.kind === 'user' && entry.delivery !== 'sent'
        ? `"${entry.text}" ${entry.delivery} ${entry.error?.code ?? ''}`
        : [],
    );
    const shown = new Set(state.entries.map((entry) => (entry.kind === 'user' ? entry.text : '')));
    const missing = this.#expected.filter((text) => !shown.has(text));
    tally.stuck.push(
      `${this.name} in ${state.session?.id ?? 'no session'}: running ${state.running}, loading ${state.loading}, ${state.connection}, ${state.error?.code ?? 'no error'}; open: ${open.join(', ') || 'none'}; not shown: ${missing.join(', ') || 'none'}`,
    );
    return null;
  }

  #sendFailedAgain(): void {
    const { conversation } = this.#page;
    for (const entry of conversation.state.entries) {
      if (entry.kind !== 'user' || entry.delivery !== 'failed') continue;
      const { retries } = this.#options.tally;
      const code = entry.error?.code ?? 'unknown';
      retries[code] = (retries[code] ?? 0) + 1;
      this.#repeated.add(entry.text);
      conversation.retry(entry.key);
    }
  }
}
