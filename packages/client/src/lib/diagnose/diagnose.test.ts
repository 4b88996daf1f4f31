import { describe, expect, it, vi } from 'vitest';
import {
  check,
  clientOf,
  diagnose,
  fastClock,
  problemsOf,
  validTokens,
} from '../testing/diagnosis-setup.ts';
import {
  closeConnection,
  closeSites,
  inOrder,
  jsonResponse,
  neverRespond,
  problemResponse,
  type Routes,
  secret,
  startSite,
  validToken,
  webPage,
} from '../testing/diagnosis-site.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { FakePage } from '../testing/fake-page.ts';
import { anonymousVisitor } from '../tokens/sources/anonymous.ts';
import { hostTokens } from '../tokens/sources/host.ts';
import type { TokenSource } from '../tokens/token-source.ts';

describe('diagnose', () => {
  it('reports measurements and no problem on a working site', async () => {
    const { url, requests } = await startSite();
    const report = await diagnose(clientOf(`${url}/`, validTokens()));

    expect(problemsOf(report)).toEqual([]);
    expect(report.checks.map(({ id }) => id)).toEqual([
      'platform',
      'token',
      'clock',
      'origin',
      'cors',
      'csp',
      'streaming',
      'model',
      'storage',
      'connections',
      'page',
    ]);
    expect(check(report, 'platform').facts).toEqual({ status: 200, version: '1.2.3' });
    expect(check(report, 'streaming').facts.messages).toBe(3);
    expect(requests.filter((name) => name.includes('/sessions'))).toEqual([]);
    expect(report.text).toContain(`platform ${url}`);
    for (const { id, cause } of report.checks) {
      expect(report.text).toMatch(new RegExp(`^\\w+ +${id} +${cause.slice(0, 20)}`, 'm'));
    }
  });

  it('requests no second token, and leaves the client signed in', async () => {
    const { url } = await startSite();
    let getTokenCalls = 0;
    const client = clientOf(
      url,
      hostTokens(async () => {
        getTokenCalls += 1;
        return validToken;
      }),
    );
    const states: string[] = [];
    client.onAuthChange(() => states.push(client.auth.status));

    await Promise.all([client.config(), diagnose(client), diagnose(client)]);

    expect(getTokenCalls).toBe(1);
    expect(states).not.toContain('expired');
    expect(client.auth).toMatchObject({ status: 'ok', externalUserId: 'ada' });
  });

  it('rejects when it is aborted, and when the client is closed', async () => {
    const { url } = await startSite({ 'GET /agent/v1/embed/stream_check': neverRespond });
    const client = clientOf(url, validTokens());
    const controller = new AbortController();
    const aborted = client.diagnose({ signal: controller.signal });
    const closed = client.diagnose();
    await client.config();

    controller.abort();
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
    client.close();
    await expect(closed).rejects.toMatchObject({ code: 'CLOSED' });
    await expect(client.diagnose({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ABORTED',
    });
  });

  it('omits the user and password of the platform’s address', async () => {
    const { url } = await startSite({ 'GET /meta/v1/health': webPage(404) });
    const report = await diagnose(
      clientOf(url.replace('//', `//ada:${secret}@`), validTokens(), {
        fetch: (input, init) => fetch(String(input).replace(`ada:${secret}@`, ''), init),
      }),
    );
    expect(report.platform).toBe(url);
  });
});

describe('the platform check', () => {
  const faults: [string, Routes, RegExp][] = [
    [
      'is another website',
      { 'GET /meta/v1/health': webPage(200) },
      /200 and a web page: this is not/,
    ],
    [
      'responds with 404 and a web page',
      { 'GET /meta/v1/health': webPage(404) },
      /404 and a web page/,
    ],
    [
      'is another API',
      { 'GET /meta/v1/health': jsonResponse(200, { ok: true }) },
      /not an Inlay platform/,
    ],
    ['its proxy can’t reach', { 'GET /meta/v1/health': webPage(502) }, /a proxy that can’t reach/],
    [
      'has no database',
      { 'GET /meta/v1/health': problemResponse(503, 'SERVICE_UNAVAILABLE') },
      /can’t reach its database/,
    ],
    [
      'redirects',
      {
        'GET /meta/v1/health': (_request, response) =>
          response.writeHead(308, { location: `https://chat.example/?key=${secret}` }).end(),
      },
      /redirects to another address/,
    ],
    [
      'is only partly proxied',
      { 'GET /agent/v1/embed/config': webPage(404) },
      /not under .*\/agent\/v1: the response is 404 from a server/,
    ],
    [
      'fails with 500',
      { 'GET /agent/v1/embed/config': problemResponse(500, 'INTERNAL_ERROR') },
      /the response is 500/,
    ],
  ];
  it.each(faults)('reports a platform that %s, and nothing else', async (_name, routes, cause) => {
    const { url } = await startSite(routes);
    const report = await diagnose(clientOf(url, validTokens()));

    expect(problemsOf(report)).toEqual(['platform: failed']);
    expect(check(report, 'platform').cause).toMatch(cause);
    expect(check(report, 'platform').remedy).toMatch(/\.$/);
    expect(check(report, 'token')).toMatchObject({ outcome: 'skipped' });
  });

  it('distinguishes an unreachable platform from an offline browser', async () => {
    const { url } = await startSite();
    await closeSites();
    const unreachable = await diagnose(clientOf(url, validTokens()));
    const offlinePage = new FakePage();
    offlinePage.goOffline();
    const offline = await diagnose(clientOf(url, validTokens(), { page: offlinePage }));

    expect(problemsOf(unreachable)).toEqual(['platform: failed']);
    expect(check(unreachable, 'platform').cause).toBe(`${url} can’t be reached.`);
    expect(problemsOf(offline)).toEqual(['platform: failed']);
    expect(check(offline, 'platform').cause).toBe('This browser is offline.');
  });

  it.each(['GET /meta/v1/health', 'GET /agent/v1/embed/config'])(
    'reports a platform that does not respond to %s in time',
    async (route) => {
      const { url } = await startSite({ [route]: neverRespond });
      const report = await diagnose(clientOf(url, validTokens(), { clock: fastClock }));

      expect(problemsOf(report)).toEqual(['platform: failed']);
      expect(check(report, 'platform').cause).toContain('does not respond in time');
    },
  );

  it('reports a platform that closes connections to its agent API without a response', async () => {
    const { url } = await startSite({ 'GET /agent/v1/embed/config': closeConnection });
    const report = await diagnose(clientOf(url, validTokens()));

    expect(problemsOf(report)).toEqual(['platform: failed']);
    expect(check(report, 'platform').cause).toContain('requests are lost');
  });

  it('reports a platform that responds only to requests without a token as a CORS problem', async () => {
    const { url } = await startSite({
      'GET /agent/v1/embed/config': (incoming, response) =>
        incoming.headers.authorization
          ? response.destroy()
          : problemResponse(401, 'AUTHENTICATION_ERROR')(incoming, response),
    });
    const report = await diagnose(clientOf(url, validTokens()));

    expect(problemsOf(report)).toEqual(['cors: failed']);
    expect(check(report, 'platform').outcome).toBe('ok');
    expect(check(report, 'cors').cause).toContain('preflight');
  });
});

describe('the clock check', () => {
  it.each([
    [180_000, /3 minutes behind/],
    [-7_200_000, /2 hours ahead of/],
  ])('warns about a clock that is wrong by %s milliseconds', async (offset, cause) => {
    const { url } = await startSite({}, offset);
    const report = await diagnose(clientOf(url, validTokens()));

    expect(problemsOf(report)).toEqual(['clock: warning']);
    expect(check(report, 'clock').cause).toMatch(cause);
  });
});

describe('the origin check', () => {
  it('names an origin that is not allowed, and the setting that allows it', async () => {
    vi.stubGlobal('location', { protocol: 'https:' });
    vi.stubGlobal('origin', 'https://shop.example');
    const { url } = await startSite({
      'GET /agent/v1/embed/config': problemResponse(403, 'EMBED_ORIGIN_NOT_ALLOWED'),
    });
    const report = await diagnose(clientOf(url, validTokens()));

    expect(problemsOf(report)).toEqual(['origin: failed']);
    expect(check(report, 'origin').cause).toContain('https://shop.example');
    expect(check(report, 'origin').remedy).toContain('allowed_origins');
    expect(check(report, 'token').cause).toContain('“origin”');
  });

  it('does not recommend to allow the origin of a file or a sandboxed frame', async () => {
    vi.stubGlobal('location', { protocol: 'file:' });
    vi.stubGlobal('origin', 'null');
    const { url } = await startSite({
      'GET /agent/v1/embed/config': problemResponse(403, 'EMBED_ORIGIN_NOT_ALLOWED'),
    });
    const report = await diagnose(clientOf(url, validTokens()));

    expect(check(report, 'origin').remedy).toMatch(/sandbox lacks allow-same-origin.* cannot be/);
  });

  it('reports an origin that the publishable key does not allow', async () => {
    const { url } = await startSite({
      'POST /agent/v1/embed_tokens/anonymous': problemResponse(403, 'EMBED_ORIGIN_NOT_ALLOWED'),
    });
    const report = await diagnose(
      clientOf(url, anonymousVisitor({ publishableKey: 'pk_demo', store: 'memory' })),
    );
    expect(problemsOf(report)).toEqual(['origin: failed']);
  });
});

describe('the csp check', () => {
  it('finds a policy that has blocked the token endpoint before the diagnosis', async () => {
    const { url } = await startSite();
    const page = new EventTarget();
    vi.stubGlobal('document', page);
    let reportCall = () => {};
    const isCalled = new Promise<void>((resolve) => {
      reportCall = resolve;
    });
    const getToken = () => {
      const violation = {
        disposition: 'enforce',
        effectiveDirective: 'connect-src',
        blockedURI: 'https://shop.example/token',
      };
      page.dispatchEvent(Object.assign(new Event('securitypolicyviolation'), violation));
      reportCall();
      return Promise.reject(new TypeError('Failed to fetch'));
    };
    const client = clientOf(url, hostTokens(getToken));
    client.config().catch(() => {});
    await isCalled;
    const report = await diagnose(client);

    expect(check(report, 'csp').outcome).toBe('failed');
    expect(check(report, 'csp').cause).toContain('blocks requests to https://shop.example');
    expect(check(report, 'token').cause).toBe('Skipped: see “csp”.');
  });
});

describe('a rate limit during the diagnosis', () => {
  const limited = (seconds: number) =>
    problemResponse(429, 'RATE_LIMITED', { 'retry-after': String(seconds) });
  const sources: [string, string, () => TokenSource][] = [
    ['a token', 'GET /agent/v1/embed/config', validTokens],
    [
      'a publishable key',
      'POST /agent/v1/embed_tokens/anonymous',
      () => anonymousVisitor({ publishableKey: 'pk_demo', store: 'memory' }),
    ],
  ];

  it.each(sources)('does not hide why %s is rejected', async (_source, route, tokens) => {
    const denied = problemResponse(403, 'EMBED_ORIGIN_NOT_ALLOWED');
    // The client itself requests its configuration as well.
    const { url } = await startSite({ [route]: inOrder(limited(2), limited(2), denied) });
    const report = await diagnose(clientOf(url, tokens(), { clock: fastClock }));

    expect(problemsOf(report)).toEqual(['origin: failed']);
  });

  it('is reported without a wait if it lasts longer than a diagnosis', async () => {
    const { url } = await startSite({ 'GET /agent/v1/embed/config': limited(60) });
    // This clock does not advance, so that a wait would never end.
    const report = await diagnose(clientOf(url, validTokens(), { clock: new FakeClock() }));

    expect(problemsOf(report)).toEqual(['token: warning']);
    expect(check(report, 'token').facts).toMatchObject({ code: 'RATE_LIMITED' });
  });
});

describe('the streaming check', () => {
  it('reports a buffering proxy and the remedy', async () => {
    const { url, platform } = await startSite();
    platform.faults.bufferStreams();
    const report = await diagnose(clientOf(url, validTokens()));

    expect(problemsOf(report)).toEqual(['streaming: failed']);
    expect(check(report, 'streaming').cause).toContain('all at once');
    expect(check(report, 'streaming').remedy).toContain('proxy_buffering off');
  });

  it('reports a stream that ends early', async () => {
    const { url } = await startSite({
      'GET /agent/v1/embed/stream_check': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: {"type":"stream_check","n":1}\n\n', () => response.destroy());
      },
    });
    const report = await diagnose(clientOf(url, validTokens()));

    expect(problemsOf(report)).toEqual(['streaming: failed']);
    expect(check(report, 'streaming').cause).toContain('after 1 of 3');
  });

  it('reports a stream without data', async () => {
    const { url } = await startSite({ 'GET /agent/v1/embed/stream_check': neverRespond });
    const report = await diagnose(
      clientOf(url, validTokens(), { clock: { ...fastClock, now: Date.now } }),
    );

    expect(problemsOf(report)).toEqual(['streaming: failed']);
    expect(check(report, 'streaming').cause).toContain('No data of a stream arrives');
  });

  it('sends the Last-Event-ID header, which needs CORS permission', async () => {
    const lastEventIds: unknown[] = [];
    const { url } = await startSite({
      'GET /agent/v1/embed/stream_check': ({ headers }, response) => {
        lastEventIds.push(headers['last-event-id']);
        response.writeHead(404).end();
      },
    });
    const report = await diagnose(clientOf(url, validTokens()));

    expect(lastEventIds).toEqual(['0']);
    expect(problemsOf(report)).toEqual(['streaming: warning']);
    expect(check(report, 'streaming').remedy).toContain('version of this client');
  });
});

describe('the model check', () => {
  /** All messages at once, as behind a proxy that buffers. */
  const streamWith = (model: object): Routes => ({
    'GET /agent/v1/embed/stream_check': (_request, response) => {
      const messages = [{ model }, {}, {}].map(
        (fields, index) =>
          `data: ${JSON.stringify({ type: 'stream_check', n: index + 1, ...fields })}\n\n`,
      );
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(messages.join(''));
    },
  });
  const failedAt = '2026-11-21T16:20:04.113Z';

  it.each([
    [{ kind: 'http_error', status: 401 }, 'the model responded with 401', 'api_key_env'],
    [{ kind: 'http_error', status: 404 }, 'the model responded with 404', 'base_url'],
    [{ kind: 'http_error', status: 429 }, 'the model responded with 429', 'limit'],
    [{ kind: 'http_error', status: 503 }, 'the model responded with 503', 'another model'],
    [{ kind: 'http_error', status: 400 }, 'the model responded with 400', 'settings'],
    [{ kind: 'network' }, 'could not be reached', 'base_url'],
    [{ kind: 'timeout' }, 'did not respond in time', 'first_event_timeout_ms'],
    [{ kind: 'of a newer platform' }, 'does not tell pages the reason', 'log'],
  ])('reports the failure %j and its remedy', async (failure, cause, remedy) => {
    const { url } = await startSite(streamWith({ failed_at: failedAt, ...failure }));
    const report = await diagnose(clientOf(url, validTokens()));

    expect(problemsOf(report)).toContain('model: failed');
    expect(check(report, 'model').cause).toContain(cause);
    expect(check(report, 'model').remedy).toContain(remedy);
    expect(check(report, 'model').facts).toMatchObject({ failedAt });
  });

  it('does not copy text that a proxy has inserted', async () => {
    const { url } = await startSite(
      streamWith({ failed_at: secret, kind: secret, status: secret }),
    );
    // `diagnose` checks that the report has no secret.
    const report = await diagnose(clientOf(url, validTokens()));

    expect(problemsOf(report)).toContain('model: failed');
  });

  it('is skipped if no message of the stream arrives', async () => {
    const { url } = await startSite({ 'GET /agent/v1/embed/stream_check': webPage(404) });
    const report = await diagnose(clientOf(url, validTokens()));

    expect(check(report, 'model')).toMatchObject({
      outcome: 'skipped',
      cause: 'Skipped: see “streaming”.',
    });
  });
});

describe('the storage check', () => {
  const fakeStorage = (fault: DOMException | null) => ({
    setItem: () => {
      if (fault) throw fault;
    },
    removeItem: () => {},
  });

  it('warns about full or forbidden storage, and names the consequences', async () => {
    const { url } = await startSite();
    vi.stubGlobal('document', new EventTarget());
    vi.stubGlobal('window', { top: { location: { href: '' } } });
    vi.stubGlobal('localStorage', fakeStorage(new DOMException(secret, 'QuotaExceededError')));
    const session = Object.getOwnPropertyDescriptor(globalThis, 'sessionStorage');
    Object.defineProperty(globalThis, 'sessionStorage', {
      configurable: true,
      get: () => {
        throw new DOMException(secret, 'SecurityError');
      },
    });
    const report = await diagnose(clientOf(url, validTokens()));
    if (session) Object.defineProperty(globalThis, 'sessionStorage', session);
    else Reflect.deleteProperty(globalThis, 'sessionStorage');

    expect(problemsOf(report)).toEqual(['storage: warning']);
    expect(check(report, 'storage').facts).toEqual({
      localStorage: 'QuotaExceededError',
      sessionStorage: 'SecurityError',
    });
    expect(check(report, 'storage').cause).toMatch(
      /counts as a new visitor .*; and unsent messages/,
    );
  });

  it('reports partitioned storage in a third-party frame', async () => {
    const { url } = await startSite();
    vi.stubGlobal('document', new EventTarget());
    vi.stubGlobal('localStorage', fakeStorage(null));
    vi.stubGlobal('sessionStorage', fakeStorage(null));
    vi.stubGlobal('window', {
      get top() {
        throw new DOMException('', 'SecurityError');
      },
    });
    const report = await diagnose(clientOf(url, validTokens()));

    expect(problemsOf(report)).toEqual(['storage: warning']);
    expect(check(report, 'storage').facts).toEqual({ framed: true });
  });
});

describe('the connections check', () => {
  it('warns about HTTP/1.1, except on localhost', async () => {
    const { url } = await startSite();
    const entry = { nextHopProtocol: 'http/1.1' } as PerformanceResourceTiming;
    vi.spyOn(performance, 'getEntriesByName').mockReturnValue([entry]);
    const remote = await diagnose(
      clientOf('http://chat.example', validTokens(), {
        fetch: (input, init) => fetch(String(input).replace('http://chat.example', url), init),
      }),
    );
    const local = await diagnose(clientOf(url, validTokens()));

    expect(problemsOf(remote)).toEqual(['connections: warning']);
    expect(check(remote, 'connections').facts).toEqual({ protocol: 'http/1.1' });
    expect(problemsOf(local)).toEqual([]);
  });
});
