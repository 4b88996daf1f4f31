/**
 * The backends in Node and other languages (`demo/backends`) with a real platform. Languages that are not installed
 * are left out with a message.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPlatformClient } from '@inlay/node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../scripts/free-port.mjs';
import { startPlatform } from '../start-platform.ts';

const file = (name: string) =>
  fileURLToPath(new URL(`../../demo/backends/${name}`, import.meta.url));
const rackServer = fileURLToPath(new URL('rack-server.rb', import.meta.url));
const apiKey = 'sk-service-of-the-backends-in-other-languages';

interface Language {
  readonly name: string;
  /** Command that prints the version, and fails if the language is not installed. */
  readonly version: readonly [command: string, ...args: string[]];
  readonly start: (port: number, folder: string) => readonly [command: string, ...args: string[]];
}

const languages: readonly Language[] = [
  {
    name: 'Node',
    version: ['node', '--version'],
    start: () => ['node', '--conditions=source', '--import', 'tsx', file('chat-token.mjs')],
  },
  {
    name: 'Python',
    version: ['python3', '--version'],
    start: () => ['python3', file('chat_token.py')],
  },
  {
    name: 'PHP',
    version: ['php', '--version'],
    start: (port, folder) => [
      'php',
      '-d',
      `session.save_path=${folder}`,
      '-S',
      `127.0.0.1:${port}`,
      file('chat_token.php'),
    ],
  },
  {
    name: 'Ruby',
    version: ['ruby', '--version'],
    start: () => ['ruby', rackServer, file('chat_token.rb')],
  },
  {
    name: 'Go',
    version: ['go', 'version'],
    start: (_port, folder) => {
      const program = join(folder, 'backend');
      execFileSync('go', ['build', '-o', program, file('chat_token.go')], {
        env: { ...process.env, GOCACHE: join(folder, 'cache'), GOFLAGS: '-mod=mod' },
      });
      return [program];
    },
  },
];

const installedLanguages = languages.filter(({ name, version: [command, ...args] }) => {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    console.log(`The backend in ${name} is left out: there is no \`${command}\`.`);
    return false;
  }
});

const startRealPlatform = async () => {
  const server = await startPlatform(
    { agents: [{ short_id: 'demo', name: 'Demo', model: { provider: 'scripted' }, embed: {} }] },
    { apiKey },
  );
  onTestFinished(() => server.stop());
  return { url: server.baseUrl, ...createPlatformClient({ baseUrl: server.baseUrl, apiKey }) };
};

/** Starts a server that responds instead of the platform. */
async function startFakePlatform(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function startBackend(language: Language, platformUrl: string, key = apiKey) {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'inlay-backend-'));
  const [command, ...args] = language.start(port, folder);
  const child = spawn(command, args, {
    env: { ...process.env, PORT: String(port), INLAY_URL: platformUrl, INLAY_API_KEY: key },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const output of [child.stdout, child.stderr]) {
    output.on('data', (data) => {
      log += data;
    });
  }
  onTestFinished(async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });
  await expect.poll(() => accepts(port, child), { interval: 50 }).toBe(true);
  let cookie = '';

  async function post(path: string, headers: Record<string, string> = {}) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { ...(cookie && { cookie }), ...headers },
    });
    const [changed] = response.headers.getSetCookie();
    if (changed) cookie = changed.split(';')[0] ?? '';
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as { code?: string; token?: string; expires_at?: string },
    };
  }
  return { post, log: () => log };
}

/** Whether the port accepts connections. */
function accepts(port: number, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`The backend ended with status ${child.exitCode}.`);
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

const namedLanguages = installedLanguages.map((language) => [language.name, language] as const);

describe.each(namedLanguages)('the backend in %s', (_name, language) => {
  it('issues a token for the signed-in user, with metadata about the user', async () => {
    const platform = await startRealPlatform();
    const { post } = await startBackend(language, platform.url);

    expect(await post('/api/chat-token')).toMatchObject({
      status: 401,
      body: { code: 'SIGNED_OUT' },
    });
    await post('/sign-in');
    const { status, headers, body } = await post('/api/chat-token');

    expect(status).toBe(200);
    expect(headers.get('cache-control')).toContain('no-store');
    expect(Object.keys(body).sort()).toEqual(['expires_at', 'token']);
    const { data } = await platform.embedTokens.list({
      agent_id: 'demo',
      external_user_id: 'ada',
    });
    expect(data).toMatchObject([{ external_user_id: 'ada', metadata: { plan: 'first' } }]);
  });

  it('rejects requests from other origins', async () => {
    const platform = await startRealPlatform();
    const { post } = await startBackend(language, platform.url);
    await post('/sign-in');

    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://other.example' },
    ]) {
      expect(await post('/api/chat-token', headers)).toMatchObject({
        status: 403,
        body: { code: 'ORIGIN_NOT_ALLOWED' },
      });
    }
  });

  it('revokes the tokens of the user at sign-out', async () => {
    const platform = await startRealPlatform();
    const { post } = await startBackend(language, platform.url);
    await post('/sign-in');
    await post('/api/chat-token');

    expect((await post('/sign-out')).status).toBe(200);

    const { data } = await platform.embedTokens.list({ agent_id: 'demo' });
    expect(data.map(({ revoked_at }) => revoked_at)).toEqual([expect.any(String)]);
    expect((await post('/api/chat-token')).status).toBe(401);
  });

  it('revokes the tokens when the sign-out is repeated after a failure of the platform', async () => {
    const calls: string[] = [];
    const url = await startFakePlatform((request, response) => {
      calls.push(request.url ?? '');
      const user = { type: 'end_user', agent_id: 'agt_1', external_user_id: 'ada', blocked: false };
      response
        .writeHead(calls.length === 1 ? 500 : 200)
        .end(JSON.stringify({ ...user, revoked_tokens: 1 }));
    });
    const { post } = await startBackend(language, url);
    await post('/sign-in');

    expect(await post('/sign-out')).toMatchObject({ status: 502, body: { code: 'NOT_REVOKED' } });
    expect(await post('/api/chat-token')).toMatchObject({
      status: 401,
      body: { code: 'SIGNED_OUT' },
    });
    expect((await post('/sign-out')).status).toBe(200);
    expect((await post('/sign-out')).status).toBe(200);
    expect((await post('/api/chat-token')).status).toBe(401);
    const path = '/agent/v1/agents/demo/end_users/ada/revoke_tokens';
    expect(calls).toEqual([path, path]);
  });

  it('responds with EMBED_USER_BLOCKED if the user is blocked', async () => {
    const platform = await startRealPlatform();
    const { post } = await startBackend(language, platform.url);
    await platform.endUsers.block('demo', 'ada');
    await post('/sign-in');

    expect(await post('/api/chat-token')).toMatchObject({
      status: 403,
      body: { code: 'EMBED_USER_BLOCKED' },
    });
  });

  it('responds with MISCONFIGURED if its API key is wrong, and logs the status without the key', async () => {
    const platform = await startRealPlatform();
    const { post, log } = await startBackend(
      language,
      platform.url,
      'sk-service-wrong-0123456789-0123456789',
    );
    await post('/sign-in');

    expect(await post('/api/chat-token')).toMatchObject({
      status: 500,
      body: { code: 'MISCONFIGURED' },
    });
    await expect.poll(log).toContain('401');
    expect(log()).not.toContain('sk-service-wrong-0123456789-0123456789');
  });

  it('retries after a short Retry-After of the platform, and forwards a long Retry-After to the page', async () => {
    let calls = 0;
    const url = await startFakePlatform((_request, response) => {
      calls += 1;
      const problem = JSON.stringify({ code: 'RATE_LIMITED' });
      response.writeHead(429, { 'retry-after': calls === 1 ? '1' : '60' }).end(problem);
    });
    const { post } = await startBackend(language, url);
    await post('/sign-in');

    const { status, headers, body } = await post('/api/chat-token');

    expect({ status, body, calls, wait: headers.get('retry-after') }).toEqual({
      status: 503,
      body: { code: 'TOKEN_UNAVAILABLE' },
      calls: 2,
      wait: '60',
    });
  });

  it('responds with 502 if the platform is unreachable', async () => {
    const { post } = await startBackend(language, `http://127.0.0.1:${await freePort()}`);
    await post('/sign-in');

    expect(await post('/api/chat-token')).toMatchObject({
      status: 502,
      body: { code: 'TOKEN_UNAVAILABLE' },
    });
  });
});
