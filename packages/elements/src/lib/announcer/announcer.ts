import type { AgentEntry } from '@inlay/client';
import { format } from '../i18n/format.ts';
import type { Strings } from '../i18n/strings.ts';
import { sentencesEnd } from './sentences.ts';
import { spoken } from './spoken.ts';

/**
 * How much of an answer is read out. `sentences`: each as it is said, and the end. `answers`: the
 * whole, once it is there. `brief`: that there is one. `off`: nothing; what the user does is still
 * confirmed.
 */
export type Verbosity = 'sentences' | 'answers' | 'brief' | 'off';

export interface AnnouncerOptions {
  readonly verbosity: () => Verbosity;
  readonly strings: () => Strings;
  readonly agentName: () => string;
  /** There is something new to tell. */
  readonly onChange: () => void;
  /** Calls back once, after some milliseconds. Returns the undo. Default: `setTimeout`. */
  readonly schedule?: (callback: () => void, milliseconds: number) => () => void;
}

/** Something that is told, once: a region that is live reads out what is added to it. */
export interface Announcement {
  readonly id: number;
  readonly text: string;
}

/** Between two looks at a growing answer, so that sentences come together, in milliseconds. */
const pause = 1200;

/** Silence after which it is said once that the agent still works, in milliseconds. */
const longSilence = 10_000;

/** What was told stays in the page this long at least: as long as there are as many after it. */
const kept = 6;

/**
 * Tells those who hear the page what those who see it see: that the agent answers, what it says by
 * whole sentences, that it still works, and that it is done. Never a fragment, and nothing twice.
 */
export class Announcer {
  readonly #options: AnnouncerOptions;
  readonly #schedule: NonNullable<AnnouncerOptions['schedule']>;
  #announcements: readonly Announcement[] = [];
  #lastId = 0;
  #cancelPause: (() => void) | null = null;
  #cancelSilence: (() => void) | null = null;
  #growing: AgentEntry | null = null;
  /** Key of the answer of which `#told` characters were told. */
  #key: string | null = null;
  #told = 0;
  /** Whether the end of an answer was not told yet. */
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

  /** What was told last, oldest first. */
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

  /** The agent began to work. */
  begin(): void {
    const { verbosity, strings, agentName } = this.#options;
    if (verbosity() === 'off') return;
    this.say(format(strings().answering, { agent: agentName() }));
    this.#cancelSilence?.();
    this.#cancelSilence = this.#schedule(() => this.say(strings().stillWorking), longSilence);
  }

  /** An answer has grown. */
  grow(entry: AgentEntry): void {
    if (entry.text === '' || this.#options.verbosity() !== 'sentences') return;
    this.#growing = entry;
    this.#cancelPause ??= this.#schedule(() => this.#tellSentences(), pause);
  }

  /** An answer is complete, was stopped, or broke off. */
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
    // The agent may go on after this one: the end is told with the end of its work.
    this.#owesEnd = entry.progress === 'done';
    if (entry.progress === 'stopped') this.say(words.stopped);
    if (entry.progress === 'failed') this.say(words.brokeOff);
  }

  /** The agent waits for somebody: it does not work, and is not done. */
  wait(): void {
    this.#quiet();
  }

  /** The agent works no more. */
  rest(): void {
    this.#quiet();
    if (this.#owesEnd) this.say(this.#options.strings().answerEnd);
    this.#owesEnd = false;
  }

  /** Another user, or another conversation: nothing of what was told stays. */
  clear(): void {
    this.#quiet();
    this.#owesEnd = false;
    this.#announcements = [];
    this.#key = null;
  }

  /** Nothing is told later of what went on until now. */
  #quiet(): void {
    this.#cancelPause?.();
    this.#cancelSilence?.();
    this.#cancelPause = null;
    this.#cancelSilence = null;
    this.#growing = null;
  }

  #toldOf(entry: AgentEntry): number {
    // After a cut, an answer may start again, and be another one.
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
