/** Sign-in of operators through a real OpenID Connect provider. */

import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runOperatorsCommand } from '../commands/operators-command.ts';
import type { ConfigInput } from '../config/config.ts';
import { systemRandom } from '../random.ts';
import { setupServer, testBaseUrl } from '../testing/setup-server.ts';

const clientSecret = 'secret-of-the-client-at-the-provider';
type Account = Record<string, unknown> | 'cancel';

/** Starts a provider that signs in the account `current`, without asking. */
async function startProvider() {
  const server = createServer();
  server.listen(0, 'localhost');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const state = { issuer, isDown: false, id: 'account-1', account: {} as Account };
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  // It warns that its store and its lifetimes are not for production.
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.spyOn(console, 'info').mockImplementation(() => {});
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'inlay',
        client_secret: clientSecret,
        redirect_uris: ['console', 'staff'].map(
          (path) => `${testBaseUrl}/${path}/api/oidc/callback`,
        ),
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...key.export({ format: 'jwk' }), use: 'sig' }] },
    cookies: { keys: ['key-of-the-cookies'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/login' },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['groups'] },
    pkce: { required: () => true },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, ...(state.account as Record<string, unknown>) }),
    }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: 'inlay',
        accountId: state.id,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const handle = provider.callback();
  server.on('request', (request, response) => {
    if (state.isDown) return response.writeHead(503).end();
    if (request.url !== '/login') return handle(request, response);
    const result =
      state.account === 'cancel'
        ? { error: 'access_denied' }
        : { login: { accountId: state.id, remember: false } };
    return provider.interactionFinished(request, response, result);
  });
  return state;
}

async function setup(
  options: Partial<NonNullable<NonNullable<ConfigInput['console']>['oidc']>> = {},
  path = '/console',
) {
  const provider = await startProvider();
  const server = await setupServer({
    secrets: { OIDC_SECRET: clientSecret, INLAY_ADMIN_SECRET: 'password-of-the-admin' },
    config: {
      console: {
        path,
        oidc: {
          issuer: provider.issuer,
          client_id: 'inlay',
          client_secret_env: 'OIDC_SECRET',
          admins: ['operations'],
          viewers: ['support'],
          ...options,
        },
      },
    },
  });
  const { app, clock, store } = server;
  const request = (resource: string, cookie = '', init: RequestInit = {}) =>
    app.request(`${path}/api/${resource}`, {
      ...init,
      headers: { 'sec-fetch-site': 'same-origin', cookie, ...init.headers },
    });
  /** Signs in at the provider, and returns the query with which it sends the browser back. */
  const authorize = async (start: Response) => {
    const jar = new Map<string, string>();
    let address = start.headers.get('location') ?? '';
    while (!address.startsWith(testBaseUrl)) {
      const response = await fetch(new URL(address, provider.issuer), {
        redirect: 'manual',
        headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=');
        jar.set(name, value);
      }
      const next = response.headers.get('location');
      if (!next) throw new Error(`${response.status} ${await response.text()}`);
      address = next;
    }
    return new URL(address).search;
  };
  const cookieOf = (response: Response, index = 0) =>
    response.headers.getSetCookie()[index]?.split(';')[0] ?? '';
  const finish = async (search: string, cookie: string) => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const response = await request(`oidc/callback${search}`, cookie, { headers });
    expect(response.status).toBe(302);
    return response;
  };
  return {
    ...server,
    provider,
    request,
    authorize,
    cookieOf,
    finish,
    operators: (...args: string[]) =>
      runOperatorsCommand(args, {
        store,
        clock,
        random: systemRandom,
        consoleUrl: testBaseUrl + path,
      }),
    /** Signs in, and returns the address that follows and the operator, or null. */
    async signIn(account: Account, id = 'account-1') {
      Object.assign(provider, { account, id });
      const start = await request('oidc');
      const response = await finish(await authorize(start), cookieOf(start));
      const session = await request('session', cookieOf(response, 1));
      const { operator = null } = (await session.json()) as { operator?: object };
      return {
        operator,
        cookie: cookieOf(response, 1),
        location: response.headers.get('location')?.replace(testBaseUrl, ''),
      };
    },
  };
}

const ada = { email: 'Ada@example.com', email_verified: true, groups: ['operations', 'other'] };

describe('signing in with OpenID Connect', () => {
  it('creates an operator with the role of the claim, and changes the role at the next sign-in', async () => {
    const { signIn, request, operators, store } = await setup();

    const first = await signIn(ada);
    const second = await signIn({ ...ada, email: 'ada.byron@example.com', groups: 'support' });

    const operator = { name: 'ada@example.com', has_password: false, has_account: true };
    expect(first).toMatchObject({
      location: '/console/',
      operator: { ...operator, role: 'admin' },
    });
    expect(second.operator).toEqual({ ...operator, role: 'viewer' });
    await signIn({ ...ada, groups: 'support' });
    expect((await operators('list')).split('\n')).toHaveLength(1);
    const audit = await store.db.selectFrom('audit_events').selectAll().orderBy('id').execute();
    expect(audit.map(({ actor, subject }) => [actor, subject])).toEqual([
      ['operator:ada@example.com', 'operators/ada@example.com'],
      ['operator:ada@example.com', 'operators/ada@example.com'],
    ]);
    expect(await (await request('sign_in')).json()).toEqual({
      passwords: true,
      oidc: { label: 'single sign-on' },
    });
  });

  it('returns to the console at the configured path', async () => {
    const { signIn } = await setup({}, '/staff');

    const { location, operator } = await signIn(ada);

    expect(location).toBe('/staff/');
    expect(operator).toMatchObject({ role: 'admin' });
  });

  it.each<[string, Account, string]>([
    ['is canceled at the provider', 'cancel', 'canceled'],
    ['has no role', { ...ada, groups: ['other'] }, 'role'],
    ['has no claim with roles', { email: 'ada@example.com' }, 'role'],
    ['has an address that is not verified', { ...ada, email_verified: false }, 'name'],
    ['has a name that no operator can have', { ...ada, email: 'ada lovelace' }, 'name'],
    ['has no name', { groups: ['support'] }, 'name'],
    ['has the name of the first operator', { ...ada, email: 'admin' }, 'name'],
  ])('is refused if it %s', async (_, account, code) => {
    const { signIn, operators, logLines } = await setup();
    await operators('create', 'admin', '--role', 'admin');

    const { location, operator } = await signIn(account);

    expect(location).toBe(`/console/#problem=${code}`);
    expect(operator).toBeNull();
    expect(logLines.join()).toContain('an operator could not sign in');
  });

  it('does not give an operator with a password to an account with that name, nor to a second account', async () => {
    const { signIn, operators, request } = await setup();
    const link = (await operators('create', 'ben@example.com')).split('#link=')[1];
    const headers = { 'content-type': 'application/json' };
    const session = await request('session', '', {
      method: 'POST',
      body: JSON.stringify({ link }),
      headers,
    });
    const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? '';
    const { token } = (await session.json()) as { token: string };
    const body = JSON.stringify({ password: 'a password of ben' });
    const init = { method: 'POST', body, headers: { ...headers, 'x-console-token': token } };
    expect((await request('password', cookie, init)).status).toBe(200);
    await operators('create', 'ada@example.com');

    const ben = await signIn({ ...ada, email: 'ben@example.com' }, 'account-2');
    const invited = await signIn(ada);
    const other = await signIn(ada, 'account-3');

    expect(ben.location).toBe('/console/#problem=name');
    expect(invited.operator).toMatchObject({ name: 'ada@example.com', role: 'admin' });
    expect(other.location).toBe('/console/#problem=name');
  });

  it('is refused for a disabled operator, whose session has ended', async () => {
    const { signIn, operators, request } = await setup();
    const { cookie } = await signIn(ada);

    await operators('disable', 'ada@example.com');

    expect((await request('session', cookie)).status).toBe(401);
    expect((await signIn(ada)).location).toBe('/console/#problem=disabled');
  });

  it('refuses a response without the cookie, for another sign-in, and a second time', async () => {
    const { provider, request, authorize, cookieOf, finish } = await setup();
    provider.account = ada;
    const start = await request('oidc');
    const other = await request('oidc');
    const search = await authorize(start);
    const problemOf = async (cookie: string) =>
      (await finish(search, cookie)).headers.get('location')?.split('=')[1];

    expect(start.headers.get('set-cookie')).toMatch(
      /^__Host-inlay-console-sign-in=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(await problemOf('')).toBe('expired');
    expect(await problemOf('__Host-inlay-console-sign-in=%7B%7D')).toBe('expired');
    expect(await problemOf(cookieOf(other))).toBe('failed');
    expect(await problemOf(cookieOf(start))).toBeUndefined();
    expect(await problemOf(cookieOf(start))).toBe('failed');
  });

  it('is the only way if it is required', async () => {
    const { signIn, operators, request } = await setup({ required: true, label: 'Example ID' });
    const link = (await operators('create', 'ada@example.com')).split('#link=')[1];
    const post = (path: string, body: object, cookie = '', token = '') =>
      request(path, cookie, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'x-console-token': token },
      });

    for (const body of [{ link }, { name: 'admin', password: 'password-of-the-admin' }]) {
      const refused = await post('session', body);
      expect(refused.status).toBe(401);
      expect(await refused.json()).toMatchObject({ detail: 'Sign in with Example ID.' });
    }
    const { cookie, operator } = await signIn(ada);
    expect(operator).toMatchObject({ name: 'ada@example.com', role: 'admin' });
    const { token } = (await (await request('session', cookie)).json()) as { token: string };
    const password = await post('password', { password: 'a long password' }, cookie, token);
    expect(password.status).toBe(400);
    const invited = await post('operators', { name: 'ben' }, cookie, token);
    expect(invited.status).toBe(409);
    expect(await invited.json()).toMatchObject({
      detail: expect.stringContaining('Operators only sign in with Example ID.'),
    });
    expect(await (await request('sign_in')).json()).toMatchObject({ passwords: false });
  });

  it('says that the provider cannot be reached, and asks it again at the next sign-in', async () => {
    const { request, provider, signIn } = await setup();
    provider.isDown = true;

    const { headers } = await request('oidc');
    provider.isDown = false;

    expect(headers.get('location')).toBe(`${testBaseUrl}/console/#problem=failed`);
    expect((await signIn(ada)).location).toBe('/console/');
  });
});
