/** Running tasks of this page by lock name, if Web Locks are not available. */
const held = new Map<string, Promise<unknown>>();

/**
 * Runs a function under an exclusive lock: a Web Lock shared by all tabs of the origin or, if Web
 * Locks are not available (pages without TLS, some sandboxed frames), a lock within the page.
 *
 * @param run - Receives whether it had to wait for another holder of the lock.
 */
export async function withLock(
  name: string,
  signal: AbortSignal,
  run: (waited: boolean) => Promise<void>,
): Promise<void> {
  const locks = sharedLocks();
  if (!locks) return inPage(name, signal, run);
  let waited = true;
  await locks.request(name, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    waited = false;
    await run(false);
  });
  if (waited) await locks.request(name, { signal }, () => run(true));
}

function sharedLocks(): LockManager | null {
  try {
    return navigator.locks ?? null;
  } catch {
    return null;
  }
}

async function inPage(
  name: string,
  signal: AbortSignal,
  run: (waited: boolean) => Promise<void>,
): Promise<void> {
  const before = held.get(name);
  const mine = (async () => {
    await before?.catch(() => {});
    if (!signal.aborted) await run(before !== undefined);
  })();
  held.set(name, mine);
  try {
    await mine;
  } finally {
    if (held.get(name) === mine) held.delete(name);
  }
}
