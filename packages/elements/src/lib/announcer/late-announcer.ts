import type { Announcement, Announcer, AnnouncerOptions } from './announcer.ts';

const none: readonly Announcement[] = [];

/** The announcer of a chat, whose file comes after the field: until then, what is to be told waits. */
export class LateAnnouncer {
  readonly #options: AnnouncerOptions;
  #announcer: Announcer | null = null;
  #waiting: ((announcer: Announcer) => void)[] = [];

  constructor(options: AnnouncerOptions) {
    this.#options = options;
  }

  get announcements(): readonly Announcement[] {
    return this.#announcer?.announcements ?? none;
  }

  /** What grows tells of itself again: it is not waited with. */
  get current(): Announcer | null {
    return this.#announcer;
  }

  /** Has something told, in the order of the calls. */
  tell(what: (announcer: Announcer) => void): void {
    if (this.#announcer) what(this.#announcer);
    else this.#waiting.push(what);
  }

  say(text: string): void {
    this.tell((announcer) => announcer.say(text));
  }

  /** Nothing of what was told or waits stays. */
  clear(): void {
    this.#waiting = [];
    this.#announcer?.clear();
  }

  arrive(Class: typeof Announcer): void {
    const announcer = new Class(this.#options);
    this.#announcer = announcer;
    for (const what of this.#waiting.splice(0)) what(announcer);
  }
}
