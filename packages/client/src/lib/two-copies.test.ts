import { describe, expect, it, vi } from 'vitest';
import { FakePlatform } from './testing/fake-platform.ts';

/** A second copy of the library, as a page has it that loads two bundles. */
async function copyOfLibrary(): Promise<typeof import('../index.ts')> {
  vi.resetModules();
  return import('../index.ts');
}

describe('two copies of the library on one page', () => {
  it('T29: have separate tokens, states and listeners, and recognize each other’s errors', async () => {
    const platform = await new FakePlatform().start();
    const [one, two] = [await copyOfLibrary(), await copyOfLibrary()];
    const before = new Set(Object.getOwnPropertyNames(globalThis));
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
    expect(platform.arrivals.filter(({ token }) => token === 'et_first')).not.toEqual([]);
    expect(platform.arrivals.at(-1)?.token).toBe('et_second');
    const globals = Object.getOwnPropertyNames(globalThis).filter((name) => !before.has(name));
    expect(globals).toEqual([]);
    second.close();
    await platform.stop();
  });
});
