/** Anonymous visitors: several tabs, lost secrets, and origins that are not allowed. */
import { anonymousVisitor, type VisitorStore } from '@inlay/client';
import { FakeClock } from '@inlay/client/testing';
import { describe, expect, it } from 'vitest';
import { apiKey } from './platform-process.ts';
import { type SiteOptions, startSite, type TabOptions, until } from './setup.ts';

/** Storage that the tabs of one browser share. */
function browserStore() {
  const values = new Map<string, string>();
  const store: VisitorStore = {
    read: (key) => values.get(key) ?? null,
    write: (key, text) => void values.set(key, text),
    remove: (key) => void values.delete(key),
  };
  return { store, secrets: () => [...values.values()], lose: () => values.clear() };
}

async function setup(options: SiteOptions = {}) {
  const site = await startSite(options);
  const browserState = browserStore();
  const visit = (store = browserState.store, more: TabOptions = {}) => {
    const tokens = anonymousVisitor({ publishableKey: 'pk_test', store });
    const tab = site.openTab({ tokens, ...more });
    return {
      ...tab,
      whoAmI: async () => (await tab.client.config()).token.external_user_id,
      tokenRequests: () => tab.sent.filter(({ path }) => path === '/embed_tokens/anonymous').length,
    };
  };
  /** Expires the token of the tab, and waits for a new one. */
  const refreshed = async ({ client, skip }: ReturnType<typeof visit>) => {
    skip(3_600_000);
    await client.sessions.list();
  };
  return { ...site, browserState, visit, refreshed };
}

describe('a visitor', () => {
  it('A01: has one id in three tabs, each with its own valid token', async () => {
    const { visit, browserState } = await setup();
    await visit().whoAmI();
    const tabs = [visit(), visit(), visit()];

    const names = await Promise.all(tabs.map((tab) => tab.whoAmI()));
    await Promise.all(tabs.map(({ client }) => client.sessions.list()));

    expect(new Set(names).size).toBe(1);
    const bearers = tabs.map(({ sent }) => sent.at(-1)?.headers.get('authorization'));
    expect(new Set(bearers).size).toBe(3);
    expect(browserState.secrets()).toHaveLength(1);
    for (const { client } of tabs) expect(client.auth.status).toBe('ok');
  });

  it.each([
    ['unknown', () => 'vs_nobody-ever-had-this-secret-of-43-characters'],
    [
      'tampered with',
      (secret: string) => `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`,
    ],
    ['cut short', (secret: string) => secret.slice(0, 20)],
  ])('A03: becomes a new visitor, with one request, if the secret is %s', async (_what, change) => {
    const { visit, browserState, proxy } = await setup();
    const before = await visit().whoAmI();
    const key = `inlay:visitor:${proxy.url}:pk_test`;
    const previousSecret = browserState.store.read(key) ?? '';
    browserState.store.write(key, change(previousSecret));

    const returning = visit();
    const name = await returning.whoAmI();
    const next = await visit().whoAmI();

    expect(name).not.toBe(before);
    expect(next).toBe(name);
    expect(returning.tokenRequests()).toBe(1);
    expect(browserState.store.read(key)).not.toBe(previousSecret);
    expect(returning.client.auth.status).toBe('ok');
  });

  it('A02: becomes a new visitor without an error if the secret was deleted', async () => {
    const { visit, browserState } = await setup();
    const before = await visit().whoAmI();
    browserState.lose();
    const returning = visit();

    expect(await returning.whoAmI()).not.toBe(before);
    expect(returning.client.auth.status).toBe('ok');
    expect(returning.diagnostics).toEqual([]);
    expect(browserState.secrets()).toHaveLength(1);
  });

  it('A04: becomes at most two visitors in two tabs that open at the same time, and each tab keeps its id', async () => {
    const { visit, browserState, refreshed, platform } = await setup();
    const tabs = [visit(), visit()] as const;
    const names = await Promise.all(tabs.map((tab) => tab.whoAmI()));
    const values = browserState.secrets();
    for (const tab of tabs) {
      await refreshed(tab);
      await refreshed(tab);
    }

    expect(await Promise.all(tabs.map((tab) => tab.whoAmI()))).toEqual(names);
    expect(browserState.secrets()).toEqual(values);
    expect(names).toContain(await visit().whoAmI());
    const { data: tokens } = await platform.embedTokens.list({ agent_id: 'test', limit: 100 });
    expect(tokens.length).toBeGreaterThanOrEqual(7);
    const visitors = new Set(tokens.map(({ external_user_id }) => external_user_id));
    expect(visitors).toEqual(new Set(names));
  });

  it('A05: is rejected as the 31st new visitor of an address in an hour, but not as a returning visitor', async () => {
    const { visit } = await setup();
    const first = browserStore();
    const name = await visit(first.store).whoAmI();
    await Promise.all(Array.from({ length: 29 }, () => visit(browserStore().store).whoAmI()));

    const clock = new FakeClock();
    const lateVisitor = visit(browserStore().store, { ports: { clock } });
    const call = lateVisitor.client.sessions.list().catch((error: unknown) => error);
    await until(() => lateVisitor.diagnostics.length > 0);
    await clock.advance(15_000);
    const refused: unknown = await call;

    expect(refused).toMatchObject({ code: 'RATE_LIMITED', status: 429, retryable: true });
    const { retryAfterMs } = refused as { retryAfterMs: number };
    expect(retryAfterMs).toBeGreaterThan(3_500_000);
    expect(retryAfterMs).toBeLessThanOrEqual(3_600_000);
    expect(lateVisitor.tokenRequests()).toBe(1);
    expect(await visit(first.store).whoAmI()).toBe(name);
  });

  it('A07: is rejected at the next request after the publishable key was removed', async () => {
    const { visit, server } = await setup();
    const { client, whoAmI, skip } = visit();
    await whoAmI();
    const replaced = await fetch(`${server.baseUrl}/agent/v1/agents/test`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ publishable_keys: [{ key: 'pk_next' }] }),
    });
    expect(replaced.status).toBe(200);
    skip(10_000);

    const refused: unknown = await client.sessions.list().catch((error: unknown) => error);

    expect(refused).toMatchObject({ code: 'AUTHENTICATION_ERROR', status: 401, retryable: false });
    expect(client.auth).toMatchObject({ error: { code: 'AUTHENTICATION_ERROR' } });
    expect(client.auth.status).not.toBe('ok');
  });

  it('A08: signs in as the end user of the host’s token, and the visitor secret gives no access to that user’s sessions', async () => {
    const { visit, openTab, proxy } = await setup();
    const visitor = visit();
    const anonymous = visitor.client.conversation();
    await anonymous.send('hello');
    const signedIn = openTab({ user: 'ada' });
    const conversation = signedIn.client.conversation();
    await conversation.send('something private');
    const id = conversation.state.session?.id ?? '';

    const again = visit();
    const visibleSessions = await again.client.sessions.list();

    expect((await signedIn.client.config()).token.external_user_id).toBe('ada');
    expect(await again.whoAmI()).toMatch(/^anon_/);
    expect(visibleSessions.data.map((session) => session.id)).toEqual([
      anonymous.state.session?.id,
    ]);
    await expect(again.client.sessions.get(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    // Only the host’s backend can get a token for the user `ada`.
    const forgedResponse = await fetch(`${proxy.url}/agent/v1/embed_tokens/anonymous`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://app.example.com' },
      body: JSON.stringify({ publishable_key: 'pk_test', external_user_id: 'ada' }),
    });
    expect(forgedResponse.status).toBe(403);
  });
});

describe('an origin', () => {
  it.each([
    [null],
    ['null'],
    ['https://app.example.com.evil.com'],
    ['http://app.example.com'],
    ['https://app.example.com:8443'],
    ['https://APP.example.com'],
    ['https://app.example.com.'],
    ['https://app.example.com/'],
    ['https://аpp.example.com'],
    ['https://xn--pp-8kc.example.com'],
  ])('A06: is rejected with EMBED_ORIGIN_NOT_ALLOWED if it is %j', async (invalidOrigin) => {
    const { visit } = await setup();
    const { client } = visit(undefined, {
      ports: {
        fetch: (url, init) => {
          const headers = new Headers(init?.headers);
          // Non-ASCII characters are sent as UTF-8 bytes, as by a client that is not a browser.
          if (invalidOrigin !== null)
            headers.set('origin', Buffer.from(invalidOrigin).toString('latin1'));
          return fetch(url, { ...init, headers });
        },
      },
    });

    await expect(client.sessions.list()).rejects.toMatchObject({
      code: 'EMBED_ORIGIN_NOT_ALLOWED',
      status: 403,
    });
    expect(client.auth.status).toBe('origin_denied');
  });

  it('A06: is always rejected if no origin is allowed', async () => {
    const { visit } = await setup({ agent: { embed: { allowed_origins: [] } } });

    await expect(visit().client.sessions.list()).rejects.toMatchObject({
      code: 'EMBED_ORIGIN_NOT_ALLOWED',
    });
  });

  it('A06: is allowed if it matches exactly', async () => {
    const { visit } = await setup();

    expect(await visit().whoAmI()).toMatch(/^anon_/);
  });
});
