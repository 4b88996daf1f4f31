import { afterEach, describe, expect, it, vi } from 'vitest';
import { setupClient } from '../../testing/client-setup.ts';
import type { PlatformServer } from '../../testing/platform-server.ts';
import type { VisitorStore } from './anonymous.ts';
import { anonymousVisitor } from './anonymous.ts';

afterEach(() => vi.unstubAllGlobals());

/** Creates a custom store that keeps its values in memory. */
function createVisitorStore(): VisitorStore {
  const values = new Map<string, string>();
  return {
    read: (key) => values.get(key) ?? null,
    write: (key, secret) => values.set(key, secret),
    remove: (key) => values.delete(key),
  };
}

/** Lets a platform accept the known secrets, and replace all others. Returns the received secrets. */
function acceptVisitors(platform: PlatformServer, known = new Set<unknown>()) {
  const received: unknown[] = [];
  platform.intercept = ({ path, body }, response) => {
    if (!path.endsWith('/embed_tokens/anonymous')) return undefined;
    received.push(body?.visitor_secret);
    const token = { token: `et_${received.length}`, expires_at: '2026-01-01T00:05:00Z' };
    const newSecret = `vs_${received.length}`;
    const isKnown = known.has(body?.visitor_secret);
    if (!isKnown) known.add(newSecret);
    response.end(JSON.stringify(isKnown ? token : { ...token, visitor_secret: newSecret }));
    return 'handled';
  };
  return received;
}

describe('anonymousVisitor', () => {
  it('stores the visitor’s secret by platform and publishable key', async () => {
    const store = createVisitorStore();
    const known = new Set<unknown>();
    const options = { publishableKey: 'pk_1', store };
    const first = await setupClient({ source: anonymousVisitor(options) });
    acceptVisitors(first.platform, known);
    await first.client.sessions.list();
    first.client.close();
    expect(store.read(`inlay:visitor:${first.platform.baseUrl}:pk_1`)).toBe('vs_1');
  });

  it('stores a new secret when the platform does not know the stored secret', async () => {
    const store = createVisitorStore();
    const { client, platform } = await setupClient({
      source: anonymousVisitor({ publishableKey: 'pk_1', store }),
    });
    const key = `inlay:visitor:${platform.baseUrl}:pk_1`;
    store.write(key, 'vs_forgotten');
    const received = acceptVisitors(platform);
    await client.sessions.list();

    expect(received).toEqual(['vs_forgotten']);
    expect(store.read(key)).toBe('vs_1');
  });

  it('A02: keeps the secret in memory when storage is missing, forbidden or full', async () => {
    const throwError = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    for (const storage of [
      undefined,
      { getItem: throwError, setItem: throwError },
      { getItem: () => null, setItem: throwError },
    ]) {
      vi.stubGlobal('localStorage', storage);
      const { client, platform } = await setupClient({
        source: anonymousVisitor({ publishableKey: 'pk_1' }),
      });
      const received = acceptVisitors(platform);
      await client.sessions.list();
      platform.revoke('et_1');
      await client.sessions.list();
      // The secret is kept in memory.
      expect(received).toEqual([undefined, 'vs_1']);
      client.close();
    }
  });

  it('A02: gets a token when a custom store throws', async () => {
    const throwError = () => {
      throw new Error('The store failed.');
    };
    const store = { read: throwError, write: throwError, remove: throwError };
    const { client, platform } = await setupClient({
      source: anonymousVisitor({ publishableKey: 'pk_1', store }),
    });
    acceptVisitors(platform);
    await client.sessions.list();
    expect(client.auth.status).toBe('ok');
  });

  it('answers a challenge once, and repeats the request with the answer', async () => {
    const asked: unknown[] = [];
    const { client, platform } = await setupClient({
      source: anonymousVisitor({
        publishableKey: 'pk_test',
        store: 'memory',
        getChallenge: (challenge) => {
          asked.push(challenge);
          return 'answer-1';
        },
      }),
    });
    const answers: unknown[] = [];
    platform.intercept = ({ path, body }, response) => {
      if (!path.endsWith('/embed_tokens/anonymous')) return undefined;
      answers.push(body?.challenge_answer);
      if (body?.challenge_answer === 'answer-1') return undefined;
      response.statusCode = 403;
      response.setHeader('content-type', 'application/problem+json');
      const problem = { type: 'about:blank', title: 'Challenge', status: 403, instance: 'prb_1' };
      const code = 'EMBED_CHALLENGE_REQUIRED';
      const details = { site_key: 'site-1' };
      response.end(
        JSON.stringify({ ...problem, detail: 'Answer.', code, retryable: false, details }),
      );
      return 'handled';
    };

    await client.sessions.list();

    expect(answers).toEqual([undefined, 'answer-1']);
    expect(asked).toEqual([{ siteKey: 'site-1' }]);
  });

  it('denies access if a challenge is not answered', async () => {
    const { client, platform } = await setupClient({
      source: anonymousVisitor({ publishableKey: 'pk_1', getChallenge: () => null }),
    });
    platform.intercept = ({ path }, response) => {
      if (!path.endsWith('/embed_tokens/anonymous')) return undefined;
      response.statusCode = 403;
      const problem = { type: 'about:blank', title: 'Challenge', status: 403, instance: 'prb_1' };
      const code = 'EMBED_CHALLENGE_REQUIRED';
      response.end(JSON.stringify({ ...problem, detail: 'Answer.', code, retryable: false }));
      return 'handled';
    };

    await expect(client.sessions.list()).rejects.toMatchObject({
      code: 'EMBED_CHALLENGE_REQUIRED',
    });
    expect(client.auth.canReconnect).toBe(true);
  });
});
