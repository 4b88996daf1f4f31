import type { AgentEntry } from '@inlay/client';
import { format } from '../i18n/format.ts';
import type { Strings } from '../i18n/strings.ts';
import { sentencesEnd } from './sentences.ts';
import { spoken } from './spoken.ts';

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
}

/** A text to add to a live region, which reads out additions. */
export interface Announcement {
  readonly id: number;
  readonly text: string;
}

/** Interval at which a streaming message is announced, to group sentences, in milliseconds. */
const pause = 1200;

/** Time without an announcement after which "still working" is announced once, in milliseconds. */
const longSilence = 10_000;

/** Number of announcements that stay in the live region. */
const kept = 6;

/**
 * Announces the agent's activity to screen reader users: start, whole sentences, continued work and
 * end. It never announces a fragment and nothing twice.
 */
export class Announcer {
  readonly #options: AnnouncerOptions;
  readonly #schedule: NonNullable<AnnouncerOptions['schedule']>;
  #announcements: readonly Announcement[] = [];
  #lastId = 0;
  #cancelPause: (() => void) | null = null;
  #cancelSilence: (() => void) | null = null;
  #growing: AgentEntry | null = null;
  /** Key of the agent message of which the first `#told` characters were announced. */
  #key: string | null = null;
  #told = 0;
  /** Whether the end of an agent message has still to be announced. */
  #owesEnd = false;

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
    if (!text) return;
    this.#lastId += 1;
    const next = { id: this.#lastId, text };
    this.#announcements = [...this.#announcements, next].slice(-kept);
    this.#options.onChange();
  }

  /** Announces that the agent is running. */
  begin(): void {
    const { verbosity, strings, agentName } = this.#options;
    if (verbosity() === 'off') return;
    this.say(format(strings().answering, { agent: agentName() }));
    this.#cancelSilence?.();
    this.#cancelSilence = this.#schedule(() => this.say(strings().stillWorking), longSilence);
  }

  /** Handles an agent message that has grown. */
  grow(entry: AgentEntry): void {
    if (entry.text === '' || this.#options.verbosity() !== 'sentences') return;
    this.#growing = entry;
    this.#cancelPause ??= this.#schedule(() => this.#tellSentences(), pause);
  }

  /** Handles an agent message that is complete, was stopped or failed. */
  finish(entry: AgentEntry): void {
    const { verbosity, strings, agentName } = this.#options;
    this.#quiet();
    const words = strings();
    const agent = agentName();
    const read = verbosity();
    if (read === 'brief') this.say(format(words.hasAnswered, { agent }));
    if (read === 'answers') {
      this.say(format(words.announceAnswer, { agent, text: spoken(entry.text) }));
    }
    if (read !== 'sentences') return;
    const told = this.#toldOf(entry);
    const left = spoken(entry.text.slice(told));
    this.say(told === 0 ? format(words.announceAnswer, { agent, text: left }) : left);
    this.#key = null;
    // More messages may follow in this run: the end is announced when the run ends.
    this.#owesEnd = entry.progress === 'done';
    if (entry.progress === 'stopped') this.say(words.stopped);
    if (entry.progress === 'failed') this.say(words.brokeOff);
  }

  /** Handles an agent that waits for the user or the page: it neither runs nor has finished. */
  wait(): void {
    this.#quiet();
  }

  /** Handles the end of a run. */
  rest(): void {
    this.#quiet();
    if (this.#owesEnd) this.say(this.#options.strings().answerEnd);
    this.#owesEnd = false;
  }

  /** Removes all announcements, because the user or the conversation changed. */
  clear(): void {
    this.#quiet();
    this.#owesEnd = false;
    this.#announcements = [];
    this.#key = null;
  }

  /** Cancels pending announcements. */
  #quiet(): void {
    this.#cancelPause?.();
    this.#cancelSilence?.();
    this.#cancelPause = null;
    this.#cancelSilence = null;
    this.#growing = null;
  }

  #toldOf(entry: AgentEntry): number {
    // After a lost connection, the text may start again and be different.
    if (entry.key !== this.#key || entry.text.length < this.#told) {
      this.#key = entry.key;
      this.#told = 0;
    }
    return this.#told;
  }

  #tellSentences(): void {
    this.#cancelPause = null;
    const entry = this.#growing;
    if (!entry) return;
    const { strings, agentName } = this.#options;
    const told = this.#toldOf(entry);
    const end = told + sentencesEnd(entry.text.slice(told));
    if (end === told) return;
    const text = spoken(entry.text.slice(told, end));
    this.#told = end;
    this.#cancelSilence?.();
    this.#cancelSilence = null;
    this.say(told === 0 ? format(strings().announceAnswer, { agent: agentName(), text }) : text);
  }
}
