/** How a page keeps up with an answer. */
export interface Pace {
  /** Per cent of the main thread. */
  busy: number;
  /** Tokens a second. */
  perSecond: number;
  /** Frames that took longer than 50 ms. */
  slowFrames: number;
  /** In milliseconds; 0 where none took longer than 50. */
  longestFrame: number;
}

/** Runs in the page: asks, and looks at the frames meanwhile. */
export async function watchPace(): Promise<Omit<Pace, 'busy' | 'perSecond'> & { seconds: number }> {
  const frames: number[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) frames.push(duration);
  });
  // Chromium tells of every frame that took longer than 50 ms, whatever in it took so long.
  observer.observe({ type: 'long-animation-frame' });
  const started = performance.now();
  await globalThis.contender.ask('Tell me slowly.');
  const seconds = (performance.now() - started) / 1000;
  await new Promise((resolve) => setTimeout(resolve, 200));
  observer.disconnect();
  return { seconds, slowFrames: frames.length, longestFrame: Math.max(0, ...frames) };
}
