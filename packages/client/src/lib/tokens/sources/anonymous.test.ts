import { afterEach, describe, expect, it, vi } from 'vitest';
import { setupClient } from '../../testing/client-setup.ts';
import type { FakePlatform } from '../../testing/fake-platform.ts';
import type { VisitorStore } from './anonymous.ts';
import { anonymousVisitor } from './anonymous.ts';

afterEach(() => vi.unstubAllGlobals());

/** A store of the host's own. */
function visitorStoreInMemory(): VisitorStore {
  const kept = new Map<string, string>();
  return {
    read: (key) => kept.get(key) ?? null,
    write: (key, secret) => kept.set(key, secret),
    remove: (key) => kept.delete(key),
  };
}

/** Lets a platform know these secrets, and make new ones for the others. */
function admitVisitors(platform: FakePlatform, known = new Set<unknown>()) {
  const presented: unknown[] = [];
  platform.script = ({ path, body }, response) => {
    if (!path.endsWith('/embed_tokens/anonymous')) return undefined;
    presented.push(body?.visitor_secret);
    const token = { token: `et_${presented.length}`, expires_at: '2026-01-01T00:05:00Z' };
    const fresh = `vs_${presented.length}`;
    const isKnown = known.has(body?.visitor_secret);
    if (!isKnown) known.add(fresh);
    response.end(JSON.stringify(isKnown ? token : { ...token, visitor_secret: fresh }));
    return 'handled';
  };
  return presented;
}

describe('anonymousVisitor', () => {
  it('is the same visitor on the next page, under a key of platform and site', async () => {
    const store = visitorStoreInMemory();
    const known = new Set<unknown>();
    const options = { publishableKey: 'pk_1', store };
    const first = await setupClient({ source: anonymousVisitor(options) });
    admitVisitors(first.platform, known);
    await first.client.sessions.list();
    first.client.close();
    expect(store.read(`inlay:visitor:${first.platform.url}:pk_1`)).toBe('vs_1');
  });

  it('gets a new visitor when the platform does not know the secret', async () => {
    const store = visitorStoreInMemory();
    const { client, platform } = await setupClient({
      source: anonymousVisitor({ publishableKey: 'pk_1', store }),
    });
    const key = `inlay:visitor:${platform.url}:pk_1`;
    store.write(key, 'vs_forgotten');
    const presented = admitVisitors(platform);
    await client.sessions.list();

    expect(presented).toEqual(['vs_forgotten']);
    expect(store.read(key)).toBe('vs_1');
  });

  it('A02: works when storage is forbidden or full', async () => {
    const forbidden = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    for (const storage of [
      undefined,
      { getItem: forbidden, setItem: forbidden },
      { getItem: () => null, setItem: forbidden },
    ]) {
      vi.stubGlobal('localStorage', storage);
      const { client, platform } = await setupClient({
        source: anonymousVisitor({ publishableKey: 'pk_1' }),
      });
      const presented = admitVisitors(platform);
      await client.sessions.list();
      platform.dead.set('et_1', 'EMBED_TOKEN_REVOKED');
      await client.sessions.list();
      // The secret is kept in memory.
      expect(presented).toEqual([undefined, 'vs_1']);
      client.close();
    }
  });

  it('A02: works with a custom store that throws', async () => {
    const broken = () => {
      throw new Error('broken');
    };
    const store = { read: broken, write: broken, remove: broken };
    const { client, platform } = await setupClient({
      source: anonymousVisitor({ publishableKey: 'pk_1', store }),
    });
    admitVisitors(platform);
    await client.sessions.list();
    expect(client.auth.status).toBe('ok');
  });
});
