import type { AgentEntry } from '@inlay/client';
import { format } from '../i18n/format.ts';
import type { Strings } from '../i18n/strings.ts';
import { stillWorkingAfter } from '../still-working.ts';
import { sentencesEnd } from './sentences.ts';
import { needsExtras, spokenText } from './spoken-text.ts';

/**
 * How agent messages are announced. `sentences`: each sentence as it arrives, and the end. `answers`:
 * each complete message. `brief`: only that there is a message. `off`: nothing. Actions of the user
 * are confirmed in all modes.
 */
export type Verbosity = 'sentences' | 'answers' | 'brief' | 'off';

export interface AnnouncerOptions {
  readonly verbosity: () => Verbosity;
  readonly strings: () => Strings;
  readonly agentName: () => string;
  /** Called when `announcements` has changed. */
  readonly onChange: () => void;
  /** Schedules a callback and returns its cancel function. Default: `setTimeout`. */
  readonly schedule?: (callback: () => void, milliseconds: number) => () => void;
  /** Loads the extras. Resolves even if loading fails. */
  readonly loadExtras: () => Promise<unknown>;
}

/** A text to add to a live region, which reads out additions. */
export interface Announcement {
  readonly id: number;
  readonly text: string;
}

/** Interval at which a streaming message is announced, to group sentences, in milliseconds. */
const announceInterval = 1200;

/**
 * Time after which an announcement is removed, in milliseconds. Screen readers have received its text by
 * then, and would find it again at the end of the chat when they read the page.
 */
const announcementDuration = 5_000;

/**
 * Announces the agent's activity to screen reader users: start, whole sentences, continued work and
 * end. It never announces a fragment, or the same text twice.
 */
export class Announcer {
  readonly #options: AnnouncerOptions;
  readonly #schedule: NonNullable<AnnouncerOptions['schedule']>;
  #announcements: readonly Announcement[] = [];
  #lastId = 0;
  /** Cancels the removal of each announcement. */
  readonly #cancelRemovals = new Set<() => void>();
  /** Announcements that wait for the extras; null while none waits. */
  #waiting: (() => void)[] | null = null;
  #cancelUpdate: (() => void) | null = null;
  #cancelSilence: (() => void) | null = null;
  #streaming: AgentEntry | null = null;
  /** Key of the agent message whose first `#announcedLength` characters were announced. */
  #key: string | null = null;
  #announcedLength = 0;
  /** Whether the end of an agent message has still to be announced. */
  #isEndPending = false;

  constructor(options: AnnouncerOptions) {
    this.#options = options;
    this.#schedule =
      options.schedule ??
      ((callback, milliseconds) => {
        const timer = setTimeout(callback, milliseconds);
        return () => clearTimeout(timer);
      });
  }

  /** Latest announcements, oldest first. */
  get announcements(): readonly Announcement[] {
    return this.#announcements;
  }

  say(text: string): void {
    if (text) this.#afterExtras('', () => this.#add(text));
  }

  #add(text: string): void {
    this.#lastId += 1;
    const next = { id: this.#lastId, text };
    this.#announcements = [...this.#announcements, next];
    this.#options.onChange();
    const cancel = this.#schedule(() => {
      this.#cancelRemovals.delete(cancel);
      this.#announcements = this.#announcements.filter((each) => each !== next);
      this.#options.onChange();
    }, announcementDuration);
    this.#cancelRemovals.add(cancel);
  }

  /** Announces that the agent is running. */
  start(): void {
    const { verbosity, strings, agentName } = this.#options;
    if (verbosity() === 'off') return;
    this.say(format(strings().answering, { agent: agentName() }));
    this.#cancelSilence?.();
    this.#cancelSilence = this.#schedule(() => this.say(strings().stillWorking), stillWorkingAfter);
  }

  /** Handles an agent message that has grown. */
  update(entry: AgentEntry): void {
    if (entry.text === '' || this.#options.verbosity() !== 'sentences') return;
    this.#streaming = entry;
    this.#cancelUpdate ??= this.#schedule(() => this.#announceSentences(), announceInterval);
  }

  /** Handles an agent message that is complete, was stopped or failed. */
  finish(entry: AgentEntry): void {
    const { verbosity, strings, agentName } = this.#options;
    this.#cancelPending();
    const { hasAnswered, stopped, brokeOff } = strings();
    const agent = agentName();
    const mode = verbosity();
    if (mode === 'brief') this.say(format(hasAnswered, { agent }));
    if (mode === 'answers') this.#sayMarkdown(entry.text, true);
    if (mode === 'sentences') this.#finishSentences(entry);
    if (entry.progress === 'stopped' && mode === 'sentences') this.say(stopped);
    if (entry.progress === 'failed') this.say(brokeOff);
  }

  #finishSentences(entry: AgentEntry): void {
    const announced = this.#announcedLengthOf(entry);
    this.#sayMarkdown(entry.text.slice(announced), announced === 0);
    this.#key = null;
    // More messages may follow in this run: the end is announced when the run ends.
    this.#isEndPending = entry.progress === 'done';
  }

  /** Handles an agent that waits for the user or the page: it neither runs nor has finished. */
  wait(): void {
    this.#cancelPending();
  }

  /** Handles the end of a run. */
  idle(): void {
    this.#cancelPending();
    if (this.#isEndPending) this.say(this.#options.strings().answerEnd);
    this.#isEndPending = false;
  }

  /** Removes all announcements, because the user or the conversation changed, or the chat was removed. */
  clear(): void {
    this.#cancelPending();
    for (const cancel of this.#cancelRemovals) cancel();
    this.#cancelRemovals.clear();
    this.#isEndPending = false;
    this.#announcements = [];
    this.#waiting = null;
    this.#key = null;
  }

  /** Cancels the scheduled announcements of new sentences and of continued work. */
  #cancelPending(): void {
    this.#cancelUpdate?.();
    this.#cancelSilence?.();
    this.#cancelUpdate = null;
    this.#cancelSilence = null;
    this.#streaming = null;
  }

  #announcedLengthOf(entry: AgentEntry): number {
    // After a lost connection, the text may start again and be different.
    if (entry.key !== this.#key || entry.text.length < this.#announcedLength) {
      this.#key = entry.key;
      this.#announcedLength = 0;
    }
    return this.#announcedLength;
  }

  #announceSentences(): void {
    this.#cancelUpdate = null;
    const entry = this.#streaming;
    if (!entry) return;
    const announced = this.#announcedLengthOf(entry);
    const text = entry.text.slice(announced);
    // Without the extras, a code block could be split into sentences.
    this.#afterExtras(text, () => {
      const end = sentencesEnd(text);
      if (end === 0 || entry.key !== this.#streaming?.key || announced < this.#announcedLength)
        return;
      this.#announcedLength = announced + end;
      this.#cancelSilence?.();
      this.#cancelSilence = null;
      this.#sayMarkdown(text.slice(0, end), announced === 0);
    });
  }

  #sayMarkdown(markdown: string, isFirst: boolean): void {
    const { strings, agentName } = this.#options;
    this.#afterExtras(markdown, () => {
      const text = spokenText(markdown, strings());
      if (isFirst) this.#add(format(strings().announceAnswer, { agent: agentName(), text }));
      else if (text) this.#add(text);
    });
  }

  /**
   * Runs an action immediately, unless the text needs the extras or an earlier action waits for them.
   * Then the action runs, in order, after the extras have loaded or failed to load.
   */
  #afterExtras(markdown: string, action: () => void): void {
    if (!this.#waiting && needsExtras(markdown)) {
      const waiting: (() => void)[] = [];
      this.#waiting = waiting;
      void this.#options.loadExtras().then(() => {
        if (this.#waiting !== waiting) return;
        this.#waiting = null;
        for (const run of waiting) this.#afterExtras('', run);
      });
    }
    if (this.#waiting) this.#waiting.push(action);
    else action();
  }
}
