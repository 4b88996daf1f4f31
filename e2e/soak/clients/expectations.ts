/** The actions of a user in one conversation, and the messages that the log must contain. */
export class Expectations {
  /** Actions and diagnostics with their times, for the analysis of a finding. */
  readonly history: string[] = [];
  /** Messages that were sent again or late, and may follow later messages in the log. */
  readonly late = new Set<string>();
  /** Messages that need not be in the log, because a page load lost them or another conversation gets them. */
  readonly optional = new Set<string>();
  readonly #sent: string[] = [];

  /** @param postponed Unsent messages of earlier conversations. */
  constructor(postponed: Iterable<string> = []) {
    for (const text of postponed) {
      this.#sent.push(text);
      this.late.add(text);
    }
  }

  /** Messages that must be in the log, in the order in which they were sent. */
  get expected(): string[] {
    return this.#sent.filter((text) => !this.optional.has(text));
  }

  add(text: string): void {
    this.#sent.push(text);
  }

  note(text: string): void {
    // The number is limited, because a long outage repeats the same notes.
    if (this.history.length < 500)
      this.history.push(`${new Date().toISOString().slice(14, 23)} ${text}`);
  }
}
