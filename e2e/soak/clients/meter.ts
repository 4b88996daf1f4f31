/** What the clients of a process hold just now. */
export interface Meter {
  timers: number;
  /** Listeners on the page. */
  watchers: number;
  /** Ways to other tabs. */
  channels: number;
}

export function createMeter(): Meter {
  return { timers: 0, watchers: 0, channels: 0 };
}
