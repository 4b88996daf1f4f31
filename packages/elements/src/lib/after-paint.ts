/** Resolves in a new task, so that pending input events are handled first. */
export function nextTask(): Promise<void> {
  // `scheduler.yield` is missing in some browsers and in TypeScript's DOM library.
  const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } };
  return scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve));
}

/** Longest wait for a frame, in milliseconds: a page in the background paints none. */
const frameTimeoutMs = 100;

/** Resolves in a new task after the next paint. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, frameTimeoutMs);
    requestAnimationFrame(() =>
      setTimeout(() => {
        clearTimeout(timer);
        resolve();
      }),
    );
  });
}
