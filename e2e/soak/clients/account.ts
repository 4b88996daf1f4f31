/** What a person did in one conversation, and what has to come of it. */
export class Account {
  /** What happened, for whoever looks into a finding. */
  readonly story: string[] = [];
  /** Sent again by hand or late, so that it may stand in the log behind what was said later. */
  readonly late = new Set<string>();
  /** What need not be in this log: a page load took it away, or it waits for another conversation. */
  readonly excused = new Set<string>();
  readonly #said: string[] = [];

  /** @param left What earlier conversations left to be sent. */
  constructor(left: Iterable<string> = []) {
    for (const text of left) {
      this.#said.push(text);
      this.late.add(text);
    }
  }

  /** What has to be in the log, in the order in which it was said. */
  get expected(): string[] {
    return this.#said.filter((text) => !this.excused.has(text));
  }

  say(text: string): void {
    this.#said.push(text);
  }

  note(text: string): void {
    // A network that is away for long has many times the same to tell.
    if (this.story.length < 500)
      this.story.push(`${new Date().toISOString().slice(14, 23)} ${text}`);
  }
}
