/** Number of timers, listeners and channels that the clients of a process hold. */
export interface Meter {
  timers: number;
  /** Listeners on the page. */
  watchers: number;
  /** Broadcast channels to other tabs. */
  channels: number;
}

export function createMeter(): Meter {
  return { timers: 0, watchers: 0, channels: 0 };
}
