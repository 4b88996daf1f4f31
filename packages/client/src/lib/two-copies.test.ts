import { describe, expect, it, vi } from 'vitest';
import { FakePlatform } from './testing/fake-platform.ts';

/** Loads another copy of the library, as on a page with two bundles. */
async function loadCopy(): Promise<typeof import('../index.ts')> {
  vi.resetModules();
  return import('../index.ts');
}

describe('two copies of the library on one page', () => {
  it('T29: have separate tokens, states and listeners, and recognize each other’s errors', async () => {
    const platform = await new FakePlatform().start();
    const [one, two] = [await loadCopy(), await loadCopy()];
    const globalsBefore = new Set(Object.getOwnPropertyNames(globalThis));
    const clientOf = ({ createInlayClient, hostTokens }: typeof one, token: string) =>
      createInlayClient({ baseUrl: platform.url, tokens: hostTokens(() => token) });
    const first = clientOf(one, 'et_first');
    const second = clientOf(two, 'et_second');
    await Promise.all([first.sessions.list(), second.sessions.list()]);

    first.close();
    const error: unknown = await first.sessions.list().catch((reason: unknown) => reason);
    await second.sessions.list();

    expect(one.InlayError).not.toBe(two.InlayError);
    expect(error).toBeInstanceOf(one.InlayError);
    expect(two.isInlayError(error)).toBe(true);
    expect(platform.requests.filter(({ token }) => token === 'et_first')).not.toEqual([]);
    expect(platform.requests.at(-1)?.token).toBe('et_second');
    const globals = Object.getOwnPropertyNames(globalThis).filter(
      (name) => !globalsBefore.has(name),
    );
    expect(globals).toEqual([]);
    second.close();
    await platform.stop();
  });
});
