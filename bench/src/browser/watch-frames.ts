/**
 * Runs in the page. Sends a message, and records the durations of all frames longer than 50 ms
 * (Chromium's `long-animation-frame` entries) until the answer is complete.
 */
export async function watchFrames(): Promise<{ seconds: number; frames: number[] }> {
  const frames: number[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) frames.push(duration);
  });
  observer.observe({ type: 'long-animation-frame' });
  const started = performance.now();
  await globalThis.benchChat.ask('Tell me all.');
  const seconds = (performance.now() - started) / 1000;
  // Performance entries are delivered with a delay.
  await new Promise((resolve) => setTimeout(resolve, 300));
  observer.disconnect();
  return { seconds, frames };
}
