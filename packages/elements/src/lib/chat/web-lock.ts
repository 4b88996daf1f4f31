/** Running tasks of this page by lock name, if Web Locks are not available. */
const runningTasks = new Map<string, Promise<unknown>>();

/**
 * Runs a function under an exclusive lock: a Web Lock shared by all tabs of the origin or, if Web
 * Locks are not available (pages without TLS, some sandboxed frames), a lock within the page.
 *
 * @param run - Receives whether it had to wait for another holder of the lock.
 */
export async function withLock(
  name: string,
  signal: AbortSignal,
  run: (hadToWait: boolean) => Promise<void>,
): Promise<void> {
  const locks = lockManager();
  if (!locks) return withPageLock(name, signal, run);
  let hadToWait = true;
  await locks.request(name, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    hadToWait = false;
    await run(false);
  });
  if (hadToWait) await locks.request(name, { signal }, () => run(true));
}

function lockManager(): LockManager | null {
  try {
    return navigator.locks ?? null;
  } catch {
    // Access can throw in a frame with an opaque origin.
    return null;
  }
}

async function withPageLock(
  name: string,
  signal: AbortSignal,
  run: (hadToWait: boolean) => Promise<void>,
): Promise<void> {
  const previous = runningTasks.get(name);
  const current = (async () => {
    await previous?.catch(() => {});
    if (!signal.aborted) await run(previous !== undefined);
  })();
  runningTasks.set(name, current);
  try {
    await current;
  } finally {
    if (runningTasks.get(name) === current) runningTasks.delete(name);
  }
}
