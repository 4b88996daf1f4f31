/** Goes on in a task of its own, so that a key that was pressed meanwhile is not kept waiting. */
export function nextTask(): Promise<void> {
  // Not every browser has it yet, nor does the compiler's list of what browsers have.
  const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } };
  return scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve));
}

/** How long a frame is waited for, in milliseconds: a page in the background draws none. */
const patience = 100;

/** Resolves in a task of its own, once what was drawn until now could be painted. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, patience);
    requestAnimationFrame(() =>
      setTimeout(() => {
        clearTimeout(timer);
        resolve();
      }),
    );
  });
}
