/** Sign-in to the console, and the routes that its cookie gives access to. */

import { describe, expect, it } from 'vitest';
import type { Services } from '../services.ts';
import { type RequestOptions, setupConsole as setup } from '../testing/setup-console.ts';
import { testApiKey, testBaseUrl, testOrigin } from '../testing/setup-server.ts';
import { adminRoutes } from './console-service.ts';

const password = 'correct horse battery staple';

describe('signing in to the console', () => {
  it('works once with a link, and then with the password that the operator sets', async () => {
    const { linkOf, request, signIn } = await setup();
    const link = await linkOf('create', 'Ada@example.com', '--role', 'admin');

    const first = await signIn({ link });
    const again = await signIn({ link });

    expect(first.response.headers.get('set-cookie')).toMatch(
      /^__Host-inlay-console=ops_[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect(first.answer).toMatchObject({
      operator: { name: 'ada@example.com', role: 'admin', has_password: false },
    });
    expect(again.response.status).toBe(400);
    const { cookie, token } = first;
    const set = await request('POST', '/password', { cookie, token, body: { password } });
    expect(set.status).toBe(200);
    expect((await request('GET', '/session', { cookie })).status).toBe(401);
    const signedIn = await signIn({ name: 'ADA@example.com ', password });
    expect(signedIn.response.status).toBe(200);
    const short = { current: password, password: 'short' };
    const wrong = { current: 'wrong', password };
    for (const body of [short, wrong]) {
      const refused = await request('POST', '/password', { ...signedIn, body });
      expect(refused.status).toBe(400);
    }
  });

  it('tells the URL of the platform, which the console may not have', async () => {
    const { operator, request } = await setup();
    const { answer, cookie } = await operator('ada', 'viewer');

    expect(answer).toMatchObject({ base_url: testBaseUrl });
    expect(await (await request('GET', '/session', { cookie })).json()).toMatchObject({
      base_url: testBaseUrl,
    });
  });

  it('is not kept waiting by the reads of its page', async () => {
    const limits = { source: { requests_per_second: 2, concurrent: 4 } };
    const { request, signIn } = await setup({}, { limits });
    const read = async (path: string) => (await request('GET', path)).status;

    for (let page = 0; page < 3; page += 1) {
      expect([await read('/session'), await read('/sign_in')]).toEqual([401, 200]);
    }

    const attempts = [];
    for (const name of ['ada', 'ben', 'eve']) {
      attempts.push((await signIn({ name, password })).response.status);
    }
    expect(attempts).toEqual([401, 401, 429]);
  });

  it('works with a link instead of a forgotten password, which the operator then replaces', async () => {
    const { linkOf, operator, request, signIn } = await setup();
    const ada = await operator('ada', 'admin');
    await request('POST', '/password', { ...ada, body: { password } });
    const { cookie: before } = await signIn({ name: 'ada', password });

    const link = await linkOf('link', 'ada');

    expect((await request('GET', '/session', { cookie: before })).status).toBe(401);
    expect((await signIn({ name: 'ada', password })).response.status).toBe(401);
    const { cookie, token } = await signIn({ link });
    const body = { password: `another ${password}` };
    expect((await request('POST', '/password', { cookie, token, body })).status).toBe(200);
    expect((await signIn({ name: 'ada', ...body })).response.status).toBe(200);
  });

  it('works with INLAY_ADMIN_SECRET as the operator admin', async () => {
    const secret = 'secret-of-the-first-operator';
    const { signIn } = await setup({ INLAY_ADMIN_SECRET: secret });

    expect((await signIn({ name: 'admin', password: secret })).response.status).toBe(200);
    expect((await signIn({ name: 'ada', password: secret })).response.status).toBe(401);
  });

  it('is refused for an hour after ten failed attempts with a name, whether it exists or not', async () => {
    const { clock, operator, request, signIn } = await setup();
    const ada = await operator('ada', 'admin');
    await request('POST', '/password', { ...ada, body: { password } });

    for (const name of ['ada', 'nobody']) {
      const statuses = [];
      for (let attempt = 0; attempt < 11; attempt += 1) {
        const { response, answer } = await signIn({ name, password: 'wrong' });
        statuses.push(response.status);
        if (attempt === 0) expect(answer.detail).toBe('The name or the password is wrong.');
        clock.advance(1000);
      }
      expect(statuses).toEqual([...Array(10).fill(401), 429]);
    }

    expect((await signIn({ name: 'ada', password })).response.status).toBe(429);
    clock.advance(3_600_000);
    expect((await signIn({ name: 'ada', password })).response.status).toBe(200);
  });

  it('is limited for an address that tries many names, and not for an operator who is signed in', async () => {
    const { clock, operator, request, signIn } = await setup(
      {},
      { limits: { source: { requests_per_second: 2, concurrent: 2 } } },
    );
    const ada = await operator('ada', 'viewer');
    clock.advance(1000);

    const names = Array.from({ length: 20 }, (_, index) => `name-${index}`);
    const attempts = await Promise.all(names.map((name) => signIn({ name, password: 'wrong' })));

    const refused = attempts.filter(({ response }) => response.status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(16);
    for (const { response } of refused)
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await request('GET', '/session', ada)).status).toBe(200);
  });

  it('lasts 12 hours, and 30 minutes without a request', async () => {
    const { clock, operator, request } = await setup();
    const { cookie } = await operator('ada', 'viewer');
    const isOpen = async () => (await request('GET', '/session', { cookie })).status === 200;

    for (let minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
      expect(await isOpen()).toBe(true);
      clock.advance(20 * 60_000);
    }
    expect(await isOpen()).toBe(true);
    clock.advance(20 * 60_000);
    expect(await isOpen()).toBe(false);

    const other = await operator('ben', 'viewer');
    clock.advance(30 * 60_000);
    expect((await request('GET', '/session', other)).status).toBe(401);
  });

  it('ends at once when the operator signs out or is disabled', async () => {
    const { operator, operators, request } = await setup();
    const ada = await operator('ada', 'admin');
    const ben = await operator('ben', 'admin');

    await request('DELETE', '/session', ada);
    await operators('disable', 'ben');

    for (const { cookie } of [ada, ben]) {
      expect((await request('GET', '/sessions', { cookie })).status).toBe(401);
    }
    await operators('enable', 'ben');
    expect((await request('GET', '/sessions', ben)).status).toBe(401);
  });
});

describe('the cookie of an operator', () => {
  it('gives access to the routes of API keys below /console/api, and to no route below /agent', async () => {
    const { operator, request, backend, issue } = await setup();
    const { token: embedToken } = await issue('eve');
    const { cookie } = await operator('ada', 'viewer');

    const asOperator = await request('GET', '/embed_tokens', { cookie });
    const asBackend = await backend('GET', '/agent/v1/embed_tokens');

    expect(asOperator.status).toBe(200);
    expect(await asOperator.json()).toEqual(await asBackend.json());
    expect((await request('GET', '/agent/v1/embed_tokens', { cookie })).status).toBe(401);
    for (const credential of [testApiKey, embedToken]) {
      const headers = { authorization: `Bearer ${credential}` };
      expect((await request('GET', '/embed_tokens', { headers })).status).toBe(401);
      expect((await request('GET', '/session', { headers })).status).toBe(401);
    }
    expect((await request('GET', '/nothing', { cookie })).status).toBe(404);
    expect((await request('GET', '/embed/config', { cookie })).status).toBe(404);
  });

  it('lets a viewer only read, and an admin also change settings', async () => {
    const { operator, operators, request } = await setup();
    const ada = await operator('ada', 'viewer');
    const path = '/agents/test/end_users/eve/block';
    const body = {};

    const refused = await request('POST', path, { ...ada, body });
    await operators('role', 'ada', 'admin');
    const accepted = await request('POST', path, { ...ada, body });

    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({
      code: 'OPERATOR_ROLE_REQUIRED',
      detail: expect.stringContaining('`admin`'),
    });
    expect(accepted.status).toBe(200);
  });

  it('has no effect in requests of other sites, and in changes without the token', async () => {
    const { operator, request } = await setup();
    const { cookie, token } = await operator('ada', 'admin');
    const path = '/agents/test/end_users/eve/block';
    const body = {};
    const site = (value: string) => ({ 'sec-fetch-site': value });
    const change = async (options: RequestOptions) =>
      (await request('POST', path, { cookie, token, body, ...options })).status;

    expect(await change({})).toBe(200);
    expect(await change({ token: '' })).toBe(401);
    expect(await change({ token: 'x'.repeat(43) })).toBe(401);
    for (const value of ['cross-site', 'same-site', 'none']) {
      expect(await change({ headers: site(value) })).toBe(401);
    }
    const read = await request('GET', '/sessions', { cookie, headers: site('cross-site') });
    expect(read.status).toBe(401);
    const link = { link: 'link_x' };
    const signIn = await request('POST', '/session', { body: link, headers: site('cross-site') });
    expect(signIn.status).toBe(401);
  });

  it('is compared by `Origin` if the browser does not send `Sec-Fetch-Site`', async () => {
    const { app, operator } = await setup();
    const { cookie, token } = await operator('ada', 'admin');
    const change = async (origin?: string) => {
      const response = await app.request('/console/api/agents/test/end_users/eve/block', {
        method: 'POST',
        headers: {
          cookie,
          host: 'chat.example.test',
          'x-console-token': token,
          'content-type': 'application/json',
          ...(origin && { origin }),
        },
        body: '{}',
      });
      return response.status;
    };

    expect(await change(testBaseUrl)).toBe(200);
    expect(await change('https://evil.example')).toBe(401);
    expect(await change('null')).toBe(401);
    expect(await change()).toBe(401);
  });
});

describe('the audit record', () => {
  it('names the operator of a change and of the reading of a conversation, and the commands', async () => {
    const { backend, operator, operators, request, requestAsUser, issue } = await setup();
    const ada = await operator('ada', 'admin');
    const { token } = await issue('eve');
    const created = await requestAsUser(token, 'POST', '/agent/v1/sessions', {});
    const { id } = (await created.json()) as { id: string };
    await request('GET', '/sessions', ada);
    await request('GET', `/sessions/${id}/events`, ada);
    await request('POST', '/agents/test/end_users/eve/block', { ...ada, body: {} });
    await operators('disable', 'ada');

    const page = await backend('GET', '/agent/v1/audit_events');
    const { data } = (await page.json()) as {
      data: { actor: string; action: string; subject: string }[];
    };
    // The order of entries with the same time is undefined.
    expect(data.map(({ actor, action, subject }) => [actor, action, subject]).sort()).toEqual([
      ['cli', 'operators create', 'operators/ada'],
      ['cli', 'operators disable', 'operators/ada'],
      ['operator:ada', 'GET /agent/v1/sessions/:id/events', `sessions/${id}`],
      [
        'operator:ada',
        'POST /agent/v1/agents/:agent_id/end_users/:external_user_id/block',
        expect.stringMatching(/^agents\/agt_[\w-]+\/end_users\/eve$/),
      ],
    ]);
  });
});

describe('inlay-server operators', () => {
  it('lists operators with their role and state', async () => {
    const { operator, operators } = await setup();
    await operator('ada', 'admin');
    await operators('create', 'ben');
    await operators('disable', 'ben');

    expect(await operators('list')).toBe(
      [
        'ada  admin  created 2026-01-15T12:00:00.000Z  without a password',
        'ben  viewer  created 2026-01-15T12:00:00.000Z  disabled',
      ].join('\n'),
    );
  });

  it.each([
    [[], 'Usage'],
    [['list', 'ada'], 'Usage'],
    [['create'], 'Usage'],
    [['create', ''], 'Usage'],
    [['create', 'two words'], '`name` has at most 64 letters'],
    [['create', 'ada', '--role', 'owner'], 'The role is `viewer` or `admin`; it is `owner`'],
    [['create', 'ada', '--password', 'x'], "Unknown option '--password'"],
    [['link', 'ada', '--role', 'admin'], 'Usage'],
    [['role', 'ada'], 'Usage'],
    [['link', 'ada'], 'There is no operator ada'],
    [['disable', 'ada'], 'There is no operator ada'],
    [['drop', 'ada'], 'Usage'],
  ])('rejects the arguments %j with an explanation', async (args, expected) => {
    const { operators } = await setup();

    await expect(operators(...args)).rejects.toThrow(expected);
  });

  it('refuses a name that is taken in another case', async () => {
    const { operators } = await setup();
    await operators('create', 'Ada');

    await expect(operators('create', 'ADA')).rejects.toThrow('There is an operator ada already');
  });
});

describe('every route of the platform', () => {
  /** Expected results by the audience of a route and the credential, below /agent and in the console. */
  const expected = {
    backend: { none: 401, embedToken: 404, apiKey: 'answer', viewer: 'answer', admin: 'answer' },
    any: { none: 401, embedToken: 'answer', apiKey: 'answer', viewer: 'answer', admin: 'answer' },
    end_user: { none: 401, embedToken: 'answer', apiKey: 401, viewer: 404, admin: 404 },
    optional: { none: 'answer', embedToken: 404, apiKey: 'answer', viewer: 404, admin: 404 },
    public: { none: 'answer', embedToken: 'answer', apiKey: 'answer', viewer: 404, admin: 404 },
    /** Routes of the console that no API key can use. */
    console: { none: 401, embedToken: 401, apiKey: 401, viewer: 403, admin: 'answer' },
  } as const;

  it('answers the credentials of its audience, and refuses all others', async () => {
    const { app, clock, operator, issue } = await setup();
    const operators = {
      viewer: await operator('vera', 'viewer'),
      admin: await operator('ada', 'admin'),
    };
    const routes = [
      ...(await app.routes()).map(({ description }) => description),
      ...adminRoutes({} as Services).map(({ description }) => ({
        ...description,
        audience: 'console' as const,
      })),
    ];

    for (const { method, path, audience, responseType } of routes) {
      // Routes can end the access of the user of the token.
      const { token: embedToken } = await issue();
      const bearer = { none: undefined, embedToken, apiKey: testApiKey };
      const call = (headers: Record<string, string>, at: string) =>
        app.request(at.replaceAll(/:\w+/g, 'unknown'), {
          method: method.toUpperCase(),
          headers: { ...headers, 'content-type': 'application/json' },
          ...(method !== 'get' && { body: '{}' }),
        });

      const check = (credential: keyof (typeof expected)['any'], status: number) => {
        // A viewer gets a 403 for each change, also at unknown paths.
        const wanted =
          credential === 'viewer' && method !== 'get' ? 403 : expected[audience][credential];
        const name = `${method} ${path} with ${credential}: ${status}`;
        // Some features are disabled for users (403).
        const refusals = credential === 'embedToken' ? [401] : [401, 403];
        if (wanted === 'answer') expect(refusals, name).not.toContain(status);
        // 405 where another method has the same path.
        else expect(wanted === 404 ? [404, 405] : [wanted], name).toContain(status);
      };
      for (const [name, credential] of Object.entries(bearer)) {
        const origin = { origin: testOrigin };
        const headers = credential ? { authorization: `Bearer ${credential}` } : {};
        const isPage = name !== 'apiKey';
        const site = audience === 'console' && { 'sec-fetch-site': 'same-origin' };
        const response = await call({ ...headers, ...(isPage && origin), ...site }, path);
        await response.body?.cancel();
        check(name as 'none', response.status);
        clock.advance(1000);
      }
      if (!/^\/(agent\/v1|console)\//.test(path) || responseType === 'text/event-stream') continue;
      for (const name of ['viewer', 'admin'] as const) {
        const { cookie, token } = operators[name];
        const headers = { cookie, 'x-console-token': token, 'sec-fetch-site': 'same-origin' };
        const response = await call(headers, path.replace('/agent/v1', '/console/api'));
        await response.body?.cancel();
        check(name, response.status);
        clock.advance(1000);
      }
      if (audience !== 'console' || method === 'get') continue;
      // Another site that has the cookie, but not the token.
      const response = await call({ cookie: operators.admin.cookie, origin: testBaseUrl }, path);
      expect(response.status, path).toBe(401);
    }
  });
});
