/** What has a turn in this page, by name, where the browser has no locks that are shared by tabs. */
const held = new Map<string, Promise<unknown>>();

/**
 * Runs something when nobody else of this origin runs what bears the same name, in any tab: by Web
 * Locks where there are any (not on pages without TLS, nor in some sandboxed frames), and within the
 * page otherwise. `waited` tells whether somebody else was at it before.
 */
export async function inTurn(
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
