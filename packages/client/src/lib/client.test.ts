import { describe, expect, it, vi } from 'vitest';
import { createInlayClient } from './client.ts';
import { InlayError } from './errors.ts';
import { setupClient, shownEntries, until } from './testing/client-setup.ts';
import { FakeClock } from './testing/fake-clock.ts';
import { sendProblem } from './testing/platform-server.ts';
import { codeOf } from './testing/token-setup.ts';
import { anonymousVisitor } from './tokens/sources/anonymous.ts';
import { hostTokens } from './tokens/sources/host.ts';

/** Serializes everything that can be reached from a value, including symbol keys and error causes. */
function serializeReachable(value: unknown, seen = new Set<unknown>()): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (seen.has(value)) return '';
  seen.add(value);
  const parts = Reflect.ownKeys(value).map((key) => {
    const { value: inner } = Object.getOwnPropertyDescriptor(value, key) ?? {};
    return `${String(key)}=${serializeReachable(inner, seen)}`;
  });
  return parts.join(' ');
}

describe('createInlayClient', () => {
  it('throws an error that names `baseUrl` if it is invalid, and `hostTokens` if `tokens` is invalid', () => {
    const tokens = hostTokens(() => null);
    for (const baseUrl of ['', 'chat.example', 'ftp://chat.example']) {
      expect(() => createInlayClient({ baseUrl, tokens })).toThrow(/baseUrl/);
    }
    const wrong = { baseUrl: 'https://chat.example', tokens: {} };
    expect(() => createInlayClient(wrong as Parameters<typeof createInlayClient>[0])).toThrow(
      /hostTokens/,
    );
  });

  it('throws an error that lists the valid values of an invalid option', () => {
    const tokens = hostTokens(() => 'et_1');
    const make = (options: object) => () =>
      createInlayClient({ baseUrl: 'https://chat.example', tokens, ...options });
    expect(make({ draftStore: 'disk' })).toThrow(
      /draftStore must be "local", "session" or "memory"/,
    );
    expect(make({ draftStore: { read: () => null } })).toThrow(/draftStore must be/);
    expect(make({ onDiagnostic: 'console' })).toThrow(/onDiagnostic must be a function/);
    expect(make({ baseUrl: 'chat.example' })).toThrow(/baseUrl: .* and not "chat.example"/);
    const visitor = { publishableKey: 'pk_1', store: 'cookie' as never };
    expect(() => anonymousVisitor(visitor)).toThrow(/store must be "local"/);
  });
});

describe('InlayClient', () => {
  it('requests the configuration once for concurrent callers', async () => {
    const { client, platform, tokenCalls } = await setupClient();
    const configs = await Promise.all([client.config(), client.config(), client.sessions.list()]);
    await client.config();

    expect(configs[0].agent.name).toBe('Demo');
    expect(platform.countReceived('GET', /embed\/config/)).toBe(1);
    expect(tokenCalls).toHaveLength(1);
    expect(client.auth).toMatchObject({ status: 'ok', externalUserId: 'ada' });
  });

  it('T33: rejects with NETWORK_ERROR when a fetch fails, and requests no other token', async () => {
    const { client, platform, tokenCalls } = await setupClient();
    await client.config();
    platform.intercept = () => 'drop';
    const error = await client.sessions.list().catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'NETWORK_ERROR', retryable: true, status: null });
    expect(error).toHaveProperty('cause', expect.any(TypeError));
    expect(tokenCalls).toHaveLength(1);
  });

  it('rejects with NETWORK_ERROR when the body of a response breaks off', async () => {
    const { client, platform } = await setupClient();
    await client.config();
    platform.intercept = (_received, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"data":', () => response.destroy());
      return 'handled';
    };
    const error = await client.sessions.list().catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'NETWORK_ERROR', retryable: true });
    expect(error).toHaveProperty('cause', expect.any(TypeError));
  });

  it('T34: rejects with the `Retry-After` of a 429 response, and requests no other token', async () => {
    const { client, platform, tokenCalls } = await setupClient();
    platform.intercept = ({ path }, response) => {
      if (!path.includes('/sessions')) return undefined;
      const headers = { 'retry-after': '7', 'x-request-id': 'req_1' };
      sendProblem(response, 429, 'RATE_LIMITED', { headers });
      return 'handled';
    };
    const error = await client.sessions.list().catch((cause: unknown) => cause);
    expect(error).toMatchObject({
      code: 'RATE_LIMITED',
      retryable: true,
      retryAfterMs: 7_000,
      requestId: 'req_1',
    });
    expect(tokenCalls).toHaveLength(1);
  });

  it('sends the token as a header and not in the URL, uses no cookies, cache or referrer, and follows no redirects', async () => {
    const seen: RequestInit[] = [];
    const { client } = await setupClient({
      ports: {
        fetch: (url, init) => {
          seen.push({ ...init });
          expect(String(url)).not.toContain('et_');
          return fetch(url, init);
        },
      },
    });
    const conversation = client.conversation();
    await conversation.send('Hi');
    await client.sessions.get('ses_1');
    expect(seen.length).toBeGreaterThan(2);
    for (const init of seen) {
      expect(new Headers(init.headers).get('authorization')).toMatch(/^Bearer et_/);
      expect(init).toMatchObject({
        credentials: 'omit',
        cache: 'no-store',
        redirect: 'error',
        referrerPolicy: 'no-referrer',
      });
    }
  });

  it('T32: exposes no token to other code of the page', async () => {
    const storage = { setItem: vi.fn(), getItem: () => null };
    vi.stubGlobal('localStorage', storage);
    vi.stubGlobal('sessionStorage', storage);
    const consoles = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) =>
      vi.spyOn(console, name),
    );
    const token = 'et_SECRET';
    let tokenRequests = 0;
    const { client, platform, diagnostics } = await setupClient({
      getToken: () => {
        tokenRequests += 1;
        if (tokenRequests === 2) throw new Error(`the backend quotes ${token}`);
        return `${token}_${tokenRequests}`;
      },
    });
    const errors: unknown[] = [];
    const collect = (error: unknown) => errors.push(error);
    const conversation = client.conversation();
    await conversation.send('Hi');
    await client.config();
    platform.intercept = () => 'drop';
    await client.sessions.list().catch(collect);
    platform.faults.cutStreams();
    await until(() => diagnostics.length > 2);
    platform.intercept = (_arrival, response) => {
      sendProblem(response, 401, 'EMBED_TOKEN_REVOKED');
      return 'handled';
    };
    await client.sessions.list().catch(collect);
    await client.reconnect().catch(collect);
    errors.push(client.auth.error);

    expect(errors.length).toBeGreaterThan(2);
    const reachable = [client, client.auth, conversation, conversation.state, errors, diagnostics];
    expect(serializeReachable(reachable)).not.toContain('SECRET');
    expect(JSON.stringify(reachable)).not.toContain('SECRET');
    for (const error of errors) {
      expect(error).toBeInstanceOf(InlayError);
      expect(String((error as Error).stack)).not.toContain('SECRET');
    }
    expect(JSON.stringify(consoles.flatMap(({ mock }) => mock.calls))).not.toContain('SECRET');
    expect(storage.setItem).toHaveBeenCalled();
    expect(JSON.stringify(storage.setItem.mock.calls)).not.toContain('SECRET');
    vi.restoreAllMocks();
  });

  it('notifies listeners of functions that are called without their object, as React does', async () => {
    const { client } = await setupClient();
    const conversation = client.conversation();
    const { onAuthChange } = client;
    const { subscribe } = conversation;
    const onAuth = vi.fn();
    const onState = vi.fn();
    const unsubscribe = [onAuthChange(onAuth), subscribe(onState)];

    await conversation.send('Hi');
    await until(() => onAuth.mock.calls.length > 0 && onState.mock.calls.length > 0);

    for (const step of unsubscribe) step();
  });

  it('ends all requests, and removes all timers and listeners, when it is closed', async () => {
    const timers = new Set<unknown>();
    const clock = {
      now: Date.now,
      mono: () => performance.now(),
      setTimeout: (callback: () => void, milliseconds: number) => {
        const timer = setTimeout(() => {
          timers.delete(timer);
          callback();
        }, milliseconds);
        timers.add(timer);
        return timer;
      },
      clearTimeout: (timer: unknown) => {
        timers.delete(timer);
        clearTimeout(timer as NodeJS.Timeout);
      },
    };
    const { client, page, platform } = await setupClient({ ports: { clock } });
    platform.answer = null;
    const conversation = client.conversation();
    await conversation.send('Hi');
    await client.config();
    page.emit('offline');
    const pending = codeOf(conversation.send('Later'));
    client.close();
    client.close();
    client[Symbol.dispose]?.();

    expect(await pending).toBe('CLOSED');
    await until(() => platform.session('ses_1').readers === 0);
    expect(page.watchers).toBe(0);
    expect(timers.size).toBe(0);
    expect(shownEntries(conversation)[0]).toBe('Hi (sent)');
    expect(conversation.state).toMatchObject({ connection: 'closed', running: false });
    expect(await codeOf(client.sessions.list())).toBe('CLOSED');
    expect(() => client.conversation()).toThrow(InlayError);
  });

  it('ends the request of a call whose signal is aborted, and of a conversation that is closed', async () => {
    // The time limit of the requests never passes.
    const { client, platform } = await setupClient({ ports: { clock: new FakeClock() } });
    await client.config();
    let open = 0;
    platform.intercept = ({ method }, response) => {
      if (method !== 'GET') return undefined;
      open += 1;
      response.on('close', () => {
        open -= 1;
      });
      return 'handled';
    };
    const controller = new AbortController();
    const list = codeOf(client.sessions.list({ signal: controller.signal }));
    const conversation = client.conversation('ses_1');
    await until(() => open === 3);
    controller.abort();
    conversation.close();

    expect(await list).toBe('ABORTED');
    await until(() => open === 0);
  });

  it('rejects with NETWORK_ERROR when one of its modules can’t be loaded', async () => {
    const { client } = await setupClient();
    for (const path of ['./files/files.ts', './diagnose/diagnose.ts']) {
      vi.doMock(path, () => {
        throw new TypeError('Failed to fetch dynamically imported module');
      });
    }

    expect(await codeOf(client.files.content('file_1'))).toBe('NETWORK_ERROR');
    expect(await codeOf(client.files.upload(new File(['x'], 'x')))).toBe('NETWORK_ERROR');
    expect(await codeOf(client.diagnose())).toBe('NETWORK_ERROR');
    vi.doUnmock('./files/files.ts');
    vi.doUnmock('./diagnose/diagnose.ts');
  });

  it('S31: notifies a conversation’s listeners once for all fragments between two frames', async () => {
    const frames: (() => void)[] = [];
    const { client, platform } = await setupClient({
      ports: {
        frame: (callback) => {
          frames.push(callback);
          return () => {};
        },
      },
    });
    platform.answer = null;
    const conversation = client.conversation();
    await conversation.send('Hi');
    const session = platform.session('ses_1');
    session.live({ type: 'event_start', event: { id: 'a', type: 'agent.message' } });
    for (let count = 0; count < 200; count += 1) {
      const content = { type: 'text', text: 'x' };
      const delta = { type: 'content_delta', index: 0, content };
      session.live({ type: 'event_delta', event_id: 'a', delta });
    }
    let notifications = 0;
    conversation.subscribe(() => {
      notifications += 1;
    });
    await until(() => shownEntries(conversation)[1]?.length === 2 + 200 + ' (streaming)'.length);
    expect(notifications).toBe(0);
    for (const frame of frames.splice(0)) frame();
    expect(notifications).toBe(1);
  });

  it('rates an agent message, and reverts the rating if the request fails', async () => {
    const { client, platform } = await setupClient();
    const conversation = client.conversation();
    await conversation.send('Hi');
    await until(() => conversation.state.entries.length === 2);
    const id = String(conversation.state.entries[1]?.id);
    await conversation.rate(id, 'up', { comment: 'Nice' });
    expect(conversation.state.entries[1]).toMatchObject({ feedback: 'up' });
    expect(platform.received.at(-1)?.body).toEqual({ event_id: id, rating: 'up', comment: 'Nice' });
    platform.intercept = () => 'drop';
    expect(await codeOf(conversation.rate(id, 'down'))).toBe('NETWORK_ERROR');
    expect(conversation.state.entries[1]).toMatchObject({ feedback: 'up' });
  });
});
