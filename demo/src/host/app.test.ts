import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { createPlatformClient } from '@inlay/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultProxy, startFaultProxy } from '../../../e2e/fault-proxy/fault-proxy.ts';
import { freePort } from '../../../scripts/free-port.mjs';
import { listen, loopback } from '../listen.ts';
import { createPlatformProcess, type PlatformProcess } from '../platform.ts';
import { createHostApp } from './app.ts';

const apiKey = 'sk-service-of-the-host-test-and-no-other';
const page = '<link href="/assets/site.css"><script src="https://chat.example/inlay.js"></script>';

let host: Server;
let hostUrl: string;
let proxy: FaultProxy;
let child: PlatformProcess;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vesper-'));
  for (const name of ['', 'script-tag', 'minimal-csp', 'assets']) {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'index.html'), page);
  }
  await writeFile(join(folder, 'assets', 'site.css'), 'main {}');

  const platformPort = await freePort();
  proxy = await startFaultProxy({ target: `http://${loopback}:${platformPort}` });
  const baseUrl = proxy.url;
  host = createServer(
    getRequestListener((request) => app.fetch(request), { overrideGlobalObjects: false }),
  );
  hostUrl = `http://${loopback}:${await listen(host, 0)}`;
  child = createPlatformProcess({
    port: platformPort,
    baseUrl,
    hostUrl,
    apiKey,
    adminSecret: 'secret-of-the-operator',
    data: 'memory',
    onUnexpectedExit: () => undefined,
  });
  const platform = createPlatformClient({ baseUrl: `http://${loopback}:${platformPort}`, apiKey });
  const app = createHostApp({
    agent: 'demo',
    platform,
    agents: ['demo', 'lounge'],
    child,
    proxy,
    pages: { directory: folder, platform: baseUrl },
  });
  await child.start();
});

afterAll(async () => {
  await child.stop();
  await proxy.close();
  host.closeAllConnections();
  host.close();
  await rm(folder, { recursive: true });
});

/** A client that stores the session cookie. */
function browser() {
  let cookie = '';
  const call = async (method: string, path: string, body?: object, headers = {}) => {
    const response = await fetch(hostUrl + path, {
      method,
      redirect: 'manual',
      headers: { cookie, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return response;
  };
  const detail = async (path: string, body: object = {}) => {
    const response = await call('POST', `/failures/${path}`, body);
    return { status: response.status, ...((await response.json()) as { detail: string }) };
  };
  const signIn = (id: string) => call('POST', '/login', { id });
  return { call, detail, signIn };
}

const crossSite = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };

describe('sign-in at the demo host', () => {
  it('replaces no earlier sign-in or sign-out when a page is opened', async () => {
    const { call, signIn } = browser();
    const open = () => call('GET', '/', undefined, { accept: 'text/html' });

    await signIn('linus');
    await open();
    expect(await (await call('GET', '/me')).json()).toMatchObject({ customer: { id: 'linus' } });

    await call('POST', '/logout');
    await open();
    expect(await (await call('GET', '/me')).json()).toMatchObject({ customer: null });
  });

  it('offers the example customers to a visitor who is not signed in', async () => {
    const response = await browser().call('GET', '/me');

    expect(await response.json()).toEqual({
      customer: null,
      customers: [
        { id: 'ada', name: 'Ada Lindqvist', role: 'Night Card holder' },
        { id: 'linus', name: 'Linus Okafor', role: 'Group organiser' },
      ],
    });
  });

  it('sets a session cookie that is HttpOnly and SameSite', async () => {
    const { call, signIn } = browser();

    const response = await signIn('ada');

    expect(response.headers.get('set-cookie')).toMatch(
      /^vesper_session=[\w-]{32}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(await (await call('GET', '/me')).json()).toMatchObject({ customer: { id: 'ada' } });
  });

  it('is ended by signing out, also for a copy of the session cookie', async () => {
    const { call, signIn } = browser();
    const cookie = (await signIn('ada')).headers.getSetCookie()[0]?.split(';')[0];

    await call('POST', '/logout');

    const replayed = await call('GET', '/me', undefined, { cookie });
    expect(await replayed.json()).toMatchObject({ customer: null });
  });

  it('is rejected for unknown customers and for requests of other sites', async () => {
    const { call, signIn } = browser();

    const unknown = await signIn('mallory');
    expect(unknown.status).toBe(400);
    expect(await unknown.json()).toEqual({ detail: 'id must be "ada" or "linus".' });
    expect((await call('POST', '/login', { id: 'ada' }, crossSite)).status).toBe(403);
  });
});

describe('the demo host', () => {
  it('issues tokens only to signed-in users, and only on its own site', async () => {
    const { call, signIn } = browser();

    expect((await call('POST', '/api/chat-token')).status).toBe(401);
    await signIn('ada');
    const response = await call('POST', '/api/chat-token');

    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ token: expect.stringMatching(/^et_/) });
    expect((await call('POST', '/api/chat-token', {}, crossSite)).status).toBe(403);
  });

  it('shares tokens among concurrent requests of one user', async () => {
    const { call, signIn } = browser();
    await signIn('ada');

    const responses = await Promise.all(
      Array.from({ length: 20 }, () => call('POST', '/api/chat-token')),
    );

    const tokens = await Promise.all(responses.map(async (each) => (await each.json()).token));
    expect(tokens).not.toContain(undefined);
    expect(new Set(tokens).size).toBeLessThan(20);
  });

  it('redirects the signed-in user to the hosted page, and forbids caching', async () => {
    const { call, signIn } = browser();
    await signIn('linus');

    const response = await call('GET', '/hosted-link');

    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toMatch(
      new RegExp(`^${proxy.url}/hosted/\\?agent=[\\w-]+#c=[\\w-]+`),
    );
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('redirects to an explanation instead of the hosted page if no user is signed in', async () => {
    const response = await browser().call('GET', '/hosted-link');

    expect(response.headers.get('location')).toBe('/hosted?problem=signed-out');
  });
});

describe('the failures', () => {
  it('expires and revokes the tokens of the user one by one', async () => {
    const { call, detail, signIn } = browser();
    await signIn('ada');
    await detail('revoke-all');
    await call('POST', '/api/chat-token');
    await call('POST', '/api/chat-token');

    expect((await detail('expire')).detail).toMatch(/^Token emb_[\w-]+ of ada has expired\.$/);
    expect((await detail('revoke')).detail).toMatch(/^Token emb_[\w-]+ of ada is revoked\.$/);
    expect(await detail('revoke')).toEqual({
      status: 409,
      detail: 'ada has no active token. Open the chat first.',
    });
  });

  it('blocks a user, who then gets no token, and unblocks the user', async () => {
    const { call, detail, signIn } = browser();
    await signIn('ada');

    await detail('block');
    const refused = await call('POST', '/api/chat-token');
    await detail('unblock');

    expect(refused.status).toBe(403);
    expect(await refused.json()).toEqual({ code: 'EMBED_USER_BLOCKED' });
    expect((await call('POST', '/api/chat-token')).status).toBe(200);
  });

  it('requires a signed-in user or the id of a visitor', async () => {
    const { detail } = browser();

    expect(await detail('block', { visitor: 'linus' })).toEqual({
      status: 409,
      detail: 'No one is signed in. Sign in first.',
    });
    expect((await detail('block', { visitor: 'anon_42' })).detail).toBe('anon_42 is blocked.');
  });

  it('cuts the network between browser and platform, but not between backend and platform', async () => {
    const { call, detail, signIn } = browser();
    await signIn('ada');
    const health = () => fetch(`${proxy.url}/meta/v1/health`);

    await detail('network', { state: 'cut' });
    await expect(health()).rejects.toThrow();
    expect((await call('POST', '/api/chat-token')).status).toBe(200);
    await detail('network', { state: 'up' });

    expect((await health()).status).toBe(200);
  });

  it('rejects invalid states with the valid ones, requests of other sites, and unknown routes', async () => {
    const { call, detail } = browser();

    expect(await detail('network', { state: 'burn' })).toEqual({
      status: 409,
      detail: 'state must be one of: up, slow, cut.',
    });
    expect((await call('POST', '/failures/platform', { state: 'killed' }, crossSite)).status).toBe(
      403,
    );
    expect((await detail('dance')).status).toBe(404);
  });
});

describe('pages', () => {
  it('contain the platform’s address and have a restrictive content security policy', async () => {
    const response = await browser().call('GET', '/');
    const platform = proxy.url;

    expect(await response.text()).toContain(`src="${platform}/inlay.js"`);
    const policy = response.headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).toContain(`connect-src 'self' ${platform};`);
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain('unsafe-');
  });

  it('allow scripts of the platform only on the script tag page', async () => {
    const { call } = browser();
    const scripts = async (path: string) =>
      /script-src ([^;]*)/.exec(
        (await call('GET', path)).headers.get('content-security-policy') ?? '',
      )?.[1];

    expect(await scripts('/script-tag')).toBe(`'self' ${proxy.url}`);
    expect(await scripts('/')).toBe("'self'");
    expect(await scripts('/minimal-csp')).toBe("'self'");
  });

  it('are redirected from a path with a trailing slash, and keep the query', async () => {
    const response = await browser().call('GET', '/script-tag/?policy=without-platform');

    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('/script-tag?policy=without-platform');
    expect((await browser().call('GET', '/nowhere/')).status).toBe(404);
  });

  it('have immutable assets', async () => {
    const response = await browser().call('GET', '/assets/site.css');

    expect(await response.text()).toBe('main {}');
    expect(response.headers.get('cache-control')).toContain('immutable');
  });
});
