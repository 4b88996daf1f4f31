/**
 * Runs in the page: asks, and notes every frame over 50 ms meanwhile. Chromium tells of those
 * itself, whatever in them took so long.
 */
export async function watchFrames(): Promise<{ seconds: number; frames: number[] }> {
  const frames: number[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) frames.push(duration);
  });
  observer.observe({ type: 'long-animation-frame' });
  const started = performance.now();
  await globalThis.contender.ask('Tell me all.');
  const seconds = (performance.now() - started) / 1000;
  // Entries come a while after their frame.
  await new Promise((resolve) => setTimeout(resolve, 300));
  observer.disconnect();
  return { seconds, frames };
}
