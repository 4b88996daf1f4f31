import { describe, expect, it, vi } from 'vitest';
import { PlatformServer } from './testing/platform-server.ts';

/** Loads another copy of the library, as on a page with two bundles. */
async function loadCopy(): Promise<typeof import('../index.ts')> {
  vi.resetModules();
  return import('../index.ts');
}

describe('two copies of the library on one page', () => {
  it('T29: have separate tokens, states and listeners, and recognize each other’s errors', async () => {
    const platform = await PlatformServer.start();
    const [firstCopy, secondCopy] = [await loadCopy(), await loadCopy()];
    const globalsBefore = new Set(Object.getOwnPropertyNames(globalThis));
    const clientOf = ({ createInlayClient, hostTokens }: typeof firstCopy, token: string) =>
      createInlayClient({ baseUrl: platform.baseUrl, tokens: hostTokens(() => token) });
    const first = clientOf(firstCopy, 'et_first');
    const second = clientOf(secondCopy, 'et_second');
    await Promise.all([first.sessions.list(), second.sessions.list()]);

    first.close();
    const error: unknown = await first.sessions.list().catch((reason: unknown) => reason);
    await second.sessions.list();

    expect(firstCopy.InlayError).not.toBe(secondCopy.InlayError);
    expect(error).toBeInstanceOf(firstCopy.InlayError);
    expect(secondCopy.isInlayError(error)).toBe(true);
    expect(platform.received.filter(({ token }) => token === 'et_first')).not.toEqual([]);
    expect(platform.received.at(-1)?.token).toBe('et_second');
    const globals = Object.getOwnPropertyNames(globalThis).filter(
      (name) => !globalsBefore.has(name),
    );
    expect(globals).toEqual([]);
    second.close();
    await platform.stop();
  });
});
