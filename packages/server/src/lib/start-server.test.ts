import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { AnonymousTokenResponse, ExchangeResponse, IssueTokenResponse } from '@inlay/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from './clock.ts';
import type { ConfigInput } from './config/config.ts';
import { parseConfig } from './config/parse-config.ts';
import { createLogger } from './log/logger.ts';
import { type Random, systemRandom } from './random.ts';
import { type RunningServer, startServer } from './start-server.ts';
import { chatEndpoint, chunk, done, finish } from './testing/chat-endpoint.ts';
import { createFakeClock } from './testing/fake-clock.ts';
import { sendIncomplete } from './testing/incomplete-request.ts';
import { watchedRandom, watchWritten } from './testing/secret-watch/secret-watch.ts';
import { json, replayUpstream } from './testing/setup-gateway.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const origin = 'http://localhost:3000';
const apiKey = 'sk-service-of-the-test-of-the-start';
const running: RunningServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
});

async function start(
  options: {
    data?: string;
    port?: number;
    host?: string;
    baseUrl?: string;
    random?: Random;
    apiKey?: string;
    config?: Partial<ConfigInput>;
    secrets?: object;
    clock?: Clock;
  } = {},
) {
  const logLines: string[] = [];
  const config: ConfigInput = {
    agents: [
      {
        short_id: 'demo',
        name: 'Demo',
        model: { provider: 'scripted' },
        embed: { allowed_origins: ['http://localhost:*'] },
        publishable_keys: [{ key: 'pk_demo' }],
      },
    ],
    limits: { api_key: { requests_per_second: 1000, concurrent: 100 } },
    ...options.config,
  };
  const server = await startServer({
    settings: {
      port: options.port ?? 0,
      host: options.host ?? '127.0.0.1',
      baseUrl: options.baseUrl ?? null,
      data: options.data ?? 'memory',
      databaseUrl: null,
      redisUrl: null,
      apiKey: options.apiKey,
    },
    config: parseConfig(config, 'test'),
    clock: options.clock ?? systemClock,
    random: watchedRandom(options.random ?? systemRandom),
    log: createLogger(systemClock.now, (line) => {
      logLines.push(line);
      watchWritten('the log', line);
    }),
    secret: (name) => (options.secrets as Record<string, string> | undefined)?.[name],
    webDirectory: '/nonexistent',
    version: '0.0.0-test',
  });
  running.push(server);
  const call = (method: string, path: string, credential?: string, body?: object) =>
    fetch(server.baseUrl + path, {
      method,
      headers: {
        origin,
        ...(credential && { authorization: `Bearer ${credential}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  return { server, call, logLines };
}

const ada = { agent: 'demo', external_user_id: 'ada' };

/**
 * Sends a token in the query. Does not use `fetch`, whose requests must not contain secrets in
 * these tests.
 */
async function sendTokenInQuery({ baseUrl }: RunningServer, token: string): Promise<void> {
  const headers = { origin, authorization: `Bearer ${token}` };
  const request = get(`${baseUrl}/agent/v1/embed/config?token=${token}`, { headers, agent: false });
  const [response] = await once(request, 'response');
  await once(response.resume(), 'end');
}

describe('startServer', () => {
  it('serves requests on a free port until it is stopped', async () => {
    const { server, call } = await start();

    expect(server.baseUrl).toMatch(/^http:\/\/localhost:\d+$/);
    expect(server.displayAddress).toBe(server.baseUrl);
    expect(await (await call('GET', '/meta/v1/health')).json()).toEqual({
      status: 'ok',
      version: '0.0.0-test',
      store: 'ok',
      bus: 'in_process',
    });
    await server.stop();
    await server.stop();
    await expect(call('GET', '/meta/v1/health')).rejects.toThrow();
  });

  it('returns in `displayAddress` the local address and the configured public URL', async () => {
    const { server } = await start({ baseUrl: 'https://chat.example.com' });

    expect(server.displayAddress).toMatch(/^127\.0\.0\.1:\d+, for https:\/\/chat\.example\.com$/);
  });

  it('stops without waiting for connections that have sent no request', async () => {
    // Stands still, so that no timeout closes the connection.
    const { server } = await start({ clock: createFakeClock() });
    const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1');
    await once(socket, 'connect');
    const closed = once(socket, 'close');

    await server.stop();

    await closed;
  });

  it('serves the console, and nothing else, on a port of its own', async () => {
    const { server } = await start({ config: { console: { port: 0 } } });
    const page = server.consoleAddress?.split('#')[0] ?? '';
    const statusOf = async (url: URL | string) => (await fetch(url)).status;

    expect(new URL(page).port).not.toBe(new URL(server.baseUrl).port);
    expect(await statusOf(new URL('/console/api/sign_in', page))).toBe(200);
    expect(await statusOf(new URL('/agent/v1/agents', page))).toBe(404);
    expect(await statusOf(new URL('/meta/v1/health', page))).toBe(404);
    expect(await statusOf(new URL('/chat-model/v1/files', page))).toBe(404);
    expect(await statusOf(`${server.baseUrl}/console/api/sign_in`)).toBe(404);
    expect(await statusOf(`${server.baseUrl}/console/`)).toBe(404);
    expect(await statusOf(`${server.baseUrl}/agent/v1/agents`)).toBe(401);
    await server.stop();
    await expect(fetch(page)).rejects.toThrow();
  });

  it('completes the requests to the port of the console when it stops', async () => {
    const { server } = await start({ apiKey, config: { console: { port: 0 } } });
    const request = await sendIncomplete(server.consoleAddress ?? '', {
      method: 'POST',
      path: '/console/api/session',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ name: 'ada', password: 'wrong' }),
    });

    const stopped = server.stop();
    // The port of the platform closes first, if the other one has a request in progress.
    await expect.poll(() => fetch(server.baseUrl).catch(() => 'closed')).toBe('closed');

    expect((await request.finish()).status).toBe(401);
    await stopped;
  });

  it('shows the public URL of the console', async () => {
    const base_url = 'https://console.example.com/';
    const { server } = await start({ apiKey, config: { console: { base_url, path: '/staff' } } });

    expect(server.consoleAddress).toBe('https://console.example.com/staff/');
  });

  it('rejects with an error while another server is using the data directory', async () => {
    const data = temporaryFolder();
    const first = await start({ data });

    await expect(start({ data })).rejects.toThrow(
      `INLAY_DATA names ${data}, but another server is using this directory. Stop that server, or use another directory`,
    );
    await first.server.stop();

    await expect(start({ data })).resolves.toBeDefined();
  });

  it('creates an API key only at the first start, and accepts it after a restart', async () => {
    const data = temporaryFolder();
    const first = await start({ data });
    const key = first.server.newApiKey ?? '';
    await first.server.stop();

    const second = await start({ data });

    expect(key).toMatch(/^sk-service-[\w-]{43}$/);
    expect(second.server.newApiKey).toBeNull();
    expect((await second.call('GET', '/agent/v1/embed_tokens', key)).status).toBe(200);
    expect((await second.call('GET', '/agent/v1/embed_tokens', `${key}x`)).status).toBe(401);
  });

  it('creates no API key if the start fails, so that the next start creates one', async () => {
    const data = temporaryFolder();
    const failing: Random = {
      bytes(count) {
        // Only the id of the process has 16 bytes; an API key has 32.
        if (count === 16) throw new Error('no random bytes');
        return systemRandom.bytes(count);
      },
    };
    await expect(start({ data, random: failing })).rejects.toThrow('no random bytes');

    const { server, call } = await start({ data });

    const key = server.newApiKey ?? '';
    expect((await call('GET', '/agent/v1/embed_tokens', key)).status).toBe(200);
  });

  it('keeps tokens, revocations, blocks, visitors and changed settings across a restart', async () => {
    const data = temporaryFolder();
    const first = await start({ data, apiKey });
    const issue = async (user: string) => {
      const body = { ...ada, external_user_id: user };
      return IssueTokenResponse.parse(
        await (await first.call('POST', '/agent/v1/embed_tokens', apiKey, body)).json(),
      );
    };
    const [validToken, revoked] = [await issue('ada'), await issue('ada')];
    const visit = { publishable_key: 'pk_demo' };
    const visitor = AnonymousTokenResponse.parse(
      await (await first.call('POST', '/agent/v1/embed_tokens/anonymous', undefined, visit)).json(),
    );
    await first.call('POST', `/agent/v1/embed_tokens/${revoked.id}/revoke`, apiKey);
    await first.call('POST', '/agent/v1/agents/demo/end_users/eve/block', apiKey);
    await first.call('POST', '/agent/v1/agents/demo', apiKey, {
      appearance: { greeting: 'Moin!' },
    });
    await first.server.stop();

    const { call } = await start({ data, apiKey });

    const config = await call('GET', '/agent/v1/embed/config', validToken.token);
    expect(await config.json()).toMatchObject({ greeting: 'Moin!' });
    expect((await call('GET', '/agent/v1/embed/config', revoked.token)).status).toBe(401);
    const eve = { ...ada, external_user_id: 'eve' };
    expect((await call('POST', '/agent/v1/embed_tokens', apiKey, eve)).status).toBe(403);
    const again = await call('POST', '/agent/v1/embed_tokens/anonymous', undefined, {
      ...visit,
      visitor_secret: visitor.visitor_secret,
    });
    expect(await again.json()).not.toHaveProperty('visitor_secret');
  });

  it('keeps the stored objects of the chat-model family across a restart', async () => {
    const data = temporaryFolder();
    const upstream = await replayUpstream((response, request) => {
      const task = { id: 'task_1', object: 'video', status: 'queued', seconds: '4' };
      const answer = { id: 'resp_1', object: 'response', status: 'completed', output: [] };
      return json(request.url.includes('/videos') ? task : answer)(response, request);
    });
    const config = { compatible: { chat_model: { upstream: { base_url: upstream.url } } } };
    const base = '/chat-model/v1';
    const first = await start({ data, apiKey, config });
    const create = async (path: string, body: object) =>
      ((await (await first.call('POST', `${base}${path}`, apiKey, body)).json()) as { id: string })
        .id;
    const conversation = await create('/conversations', { metadata: { topic: 'lamps' } });
    const response = await create('/responses', { model: 'm', input: 'Hello' });
    const video = await create('/videos', { model: 'm', prompt: 'A cat' });
    const form = new FormData();
    form.set('purpose', 'user_data');
    form.set('file', new File(['Dear diary'], 'diary.txt'));
    const uploaded = await fetch(`${first.server.baseUrl}${base}/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}` },
      body: form,
    });
    const { id: file } = (await uploaded.json()) as { id: string };
    await first.server.stop();

    const { call } = await start({ data, apiKey, config });

    const read = (path: string) => call('GET', `${base}${path}`, apiKey);
    expect(await (await read(`/conversations/${conversation}`)).json()).toMatchObject({
      metadata: { topic: 'lamps' },
    });
    expect(await (await read(`/files/${file}/content`)).text()).toBe('Dear diary');
    expect(await (await read(`/responses/${response}`)).json()).toMatchObject({ id: response });
    const items = await (await read(`/responses/${response}/input_items`)).json();
    expect(items).toMatchObject({ data: [{ role: 'user' }] });
    expect(await (await read(`/videos/${video}`)).json()).toMatchObject({ id: video });
  });

  it('writes no secret to the log or to the disk', async () => {
    const data = temporaryFolder();
    const { server, call, logLines } = await start({ data });
    const key = server.newApiKey ?? '';
    const issued = IssueTokenResponse.parse(
      await (await call('POST', '/agent/v1/embed_tokens', key, { ...ada, hosted: true })).json(),
    );
    const code = issued.hosted_url?.split('#c=')[1] ?? '';
    const second = IssueTokenResponse.parse(
      await (await call('POST', '/agent/v1/embed_tokens', key, { ...ada, hosted: true })).json(),
    );
    const unusedCode = second.hosted_url?.split('#c=')[1] ?? '';
    const exchanged = ExchangeResponse.parse(
      await (await call('POST', '/agent/v1/embed/exchange', undefined, { code })).json(),
    );
    const visitor = AnonymousTokenResponse.parse(
      await (
        await call('POST', '/agent/v1/embed_tokens/anonymous', undefined, {
          publishable_key: 'pk_demo',
        })
      ).json(),
    );
    await sendTokenInQuery(server, issued.token);
    await call('GET', `/agent/v1/${issued.token}`, issued.token);
    await call('POST', '/agent/v1/embed_tokens', `${key}-mistyped`, { ...ada, note: issued.token });
    await server.stop();

    const written = [
      ...logLines,
      ...readdirSync(data).map((name) => readFileSync(join(data, name), 'latin1')),
    ].join('\n');
    const secrets = [key, issued.token, second.token, code, unusedCode, exchanged.token];
    for (const secret of [...secrets, visitor.token, visitor.visitor_secret ?? '']) {
      expect(secret.length).toBeGreaterThan(40);
      expect(written).not.toContain(secret.slice(0, 30));
    }
    expect(written).toContain(issued.id);
    expect(logLines).toHaveLength(8);
  });

  it('leaves an empty write-ahead log when the server stops', async () => {
    const data = temporaryFolder();
    const { server } = await start({ data });
    await server.stop();

    const sizes = readdirSync(data).map((name) => [name, readFileSync(join(data, name)).length]);

    expect(Object.fromEntries(sizes)['inlay.db']).toBeGreaterThan(10_000);
    expect(Object.fromEntries(sizes)['inlay.db-wal'] ?? 0).toBe(0);
  });

  it('S12: handles requests while the stopping server ends its streams, and then closes all connections', async () => {
    const unlimited = { requests_per_second: 1000, concurrent: 1000 };
    const embed = { allowed_origins: ['http://localhost:*'], limits: unlimited };
    const model = { provider: 'scripted' as const };
    const { server, call } = await start({
      apiKey,
      config: { agents: [{ short_id: 'demo', name: 'Demo', model, embed }] },
    });
    const issued = await call('POST', '/agent/v1/embed_tokens', apiKey, ada);
    const { token } = IssueTokenResponse.parse(await issued.json());
    const created = await call('POST', '/agent/v1/sessions', token, {});
    const { id } = (await created.json()) as { id: string };
    const streams = await Promise.all(
      Array.from({ length: 400 }, () =>
        call('GET', `/agent/v1/sessions/${id}/events/stream`, token),
      ),
    );

    const stopped = server.stop();
    const config = await call('GET', '/agent/v1/embed/config', token);
    const health = await call('GET', '/meta/v1/health');
    const bodies = await Promise.all(streams.map((stream) => stream.text()));
    await stopped;

    expect(config.status).toBe(200);
    expect(config.headers.get('connection')).toBe('close');
    expect(health.status).toBe(503);
    // A truncated response would have rejected above.
    expect(bodies).toHaveLength(400);
    await expect(call('GET', '/meta/v1/health')).rejects.toThrow();
  });

  it('finishes answers and completions in progress when it stops, and starts no others', async () => {
    const unlimited = { requests_per_second: 1000, concurrent: 1000 };
    const embed = { allowed_origins: ['http://localhost:*'], limits: unlimited };
    const clock = createFakeClock();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const upstream = await chatEndpoint(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk({ content: 'Half' }));
      await released;
      response.end(chunk({ content: ' of it.' }) + finish() + done);
    });
    const provider = { provider: 'openai-compatible' as const, base_url: upstream.url, model: 'm' };
    const { server, call } = await start({
      apiKey,
      clock,
      config: {
        agents: [{ short_id: 'demo', name: 'Demo', model: provider, embed }],
        models: [
          {
            id: 'm',
            providers: [{ ...provider, name: 'a' }],
            supported_apis: ['chat_completions', 'responses'],
          },
        ],
        prices: { m: {} },
      },
    });
    const issued = await call('POST', '/agent/v1/embed_tokens', apiKey, ada);
    const { token } = IssueTokenResponse.parse(await issued.json());
    const hello = {
      initial_events: [{ type: 'user.message', content: [{ type: 'text', text: 'Hello' }] }],
    };
    const createSession = async () => {
      const created = await call('POST', '/agent/v1/sessions', token, hello);
      return ((await created.json()) as { id: string }).id;
    };
    const id = await createSession();
    const stream = await call('GET', `/agent/v1/sessions/${id}/events/stream`, token);
    const completion = await call('POST', '/model/v1/chat/completions', apiKey, {
      model: 'm',
      stream: true,
      messages: [{ role: 'user', content: 'Hello' }],
    });
    await expect.poll(() => upstream.requests).toHaveLength(2);

    const stopped = server.stop();
    await createSession();
    // The first request for a service that is loaded on first use.
    const queued = { model: 'm', input: 'Hello', background: true };
    const response = await call('POST', '/chat-model/v1/responses', apiKey, queued);
    expect(await response.json()).toMatchObject({ status: 'queued' });
    // Longer than the time that requests have without `drain_seconds`.
    clock.advance(20_000);
    release();

    const events = stream.text();
    expect(await completion.text()).toContain('[DONE]');
    let isStopped = false;
    void stopped.then(() => {
      isStopped = true;
    });
    const advance = () => {
      clock.advance(100);
      return isStopped;
    };
    await expect.poll(advance).toBe(true);
    expect(await events).toContain('session.status_idle');
    expect(await events).not.toContain('session.status_rescheduled');
    expect(upstream.requests).toHaveLength(2);
  });

  it('rejects with an error if its port is in use', async () => {
    const firstServer = await start();
    const { port } = new URL(firstServer.server.baseUrl);

    await expect(start({ port: Number(port) })).rejects.toThrow(`Port ${port} is taken`);
  });

  it('rejects with an error that names the missing environment variable of a model', async () => {
    const model = {
      provider: 'openai-compatible' as const,
      base_url: 'http://127.0.0.1:9/v1',
      model: 'm',
      api_key_env: 'MODEL_KEY',
    };
    const config = { agents: [{ short_id: 'a', name: 'A', model }] };

    await expect(start({ config })).rejects.toThrow('MODEL_KEY');
    await expect(start({ config, secrets: { MODEL_KEY: 'k' } })).resolves.toBeDefined();
    const mode = { id: 'deep', label: 'Deep', model };
    const scripted = { provider: 'scripted' as const };
    const agents = [{ short_id: 'a', name: 'A', model: scripted, modes: [mode] }];
    await expect(start({ config: { agents } })).rejects.toThrow(
      'agents[0].modes[0].model.api_key_env names MODEL_KEY',
    );
  });

  it('rejects with an error that names the missing environment variable of a compatible prefix', async () => {
    const upstream = { base_url: 'http://127.0.0.1:9', api_key_env: 'VENDOR_KEY' };
    const agents = [{ short_id: 'a', name: 'A', model: { provider: 'scripted' as const } }];
    const config = { agents, compatible: { web_search: { upstream } } };

    await expect(start({ config })).rejects.toThrow(
      'compatible.web_search.upstream.api_key_env names VENDOR_KEY',
    );
    await expect(start({ config, secrets: { VENDOR_KEY: 'k' } })).resolves.toBeDefined();
  });

  it('rejects with an error if `INLAY_API_KEY` is malformed', async () => {
    for (const apiKey of ['secret', 'sk-service-', 'sk-service-two words', 'sk-service-a\n']) {
      await expect(start({ apiKey })).rejects.toThrow('INLAY_API_KEY must begin with');
    }
  });

  it('rejects with an error that explains how to create an API key if `INLAY_API_KEY` is too short', async () => {
    const secret = 'a'.repeat(24);

    for (const apiKey of ['sk-service-a', `sk-service-${secret.slice(1)}`]) {
      await expect(start({ apiKey })).rejects.toThrow(
        /INLAY_API_KEY is too short .* at least 24 characters.*randomBytes/,
      );
    }
    await expect(start({ apiKey: `sk-service-${secret}` })).resolves.toBeDefined();
  });

  it('logs the id of the API key that a request contains, not the key', async () => {
    const { call, logLines } = await start({ apiKey });

    await call('POST', '/agent/v1/embed_tokens', apiKey, ada);

    const lines = logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.find(({ message }) => message === 'request')).toMatchObject({
      caller: 'backend',
      api_key: expect.stringMatching(/^key_[\w-]{12}$/),
    });
    expect(logLines.join('')).not.toContain(apiKey);
  });

  it('rejects with an error if its data directory or its address is unusable', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');

    await expect(start({ data: join(file, 'below') })).rejects.toThrow(
      /INLAY_DATA names .*below, but this directory cannot be used: ENOTDIR/,
    );
    // `/sys` takes no folders, even of root.
    await expect(start({ data: '/sys/inlay' })).rejects.toThrow(
      /INLAY_DATA names \/sys\/inlay, .* set INLAY_DATA to another directory\.$/,
    );
    const damaged = temporaryFolder();
    writeFileSync(join(damaged, 'inlay.db'), 'This is no database. '.repeat(100));
    await expect(start({ data: damaged })).rejects.toThrow(
      /inlay\.db is damaged, or no database: .* Restore it from a backup/,
    );
    await expect(start({ host: '192.0.2.1' })).rejects.toThrow(
      'HOST is 192.0.2.1, and this machine has no such address',
    );
  });

  it('releases its port if the start fails after listening', async () => {
    const { server } = await start();
    const { port } = new URL(server.baseUrl);
    await server.stop();

    const failing = start({
      port: Number(port),
      random: {
        bytes: (count) => {
          if (count === 16) throw new Error('no randomness');
          return systemRandom.bytes(count);
        },
      },
    });

    await expect(failing).rejects.toThrow('no randomness');
    await expect(start({ port: Number(port) })).resolves.toBeDefined();
  });

  it('logs the status 400, and no error, if a client disconnects while it sends its body', async () => {
    const { server, call, logLines } = await start({ apiKey });
    const { port } = new URL(server.baseUrl);
    const head =
      'POST /agent/v1/embed_tokens HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nauthorization: Bearer sk-service-of-the-test-of-the-start\r\n';

    for (const [length, part] of [
      ['content-length: 500', '{"a":'],
      ['transfer-encoding: chunked', '5\r\n{"a":\r\n'],
    ]) {
      const socket = connect(Number(port), '127.0.0.1');
      await new Promise((resolve) => socket.write(`${head}${length}\r\n\r\n${part}`, resolve));
      await call('GET', '/meta/v1/health');
      socket.destroy();
    }

    const requests = () => logLines.filter((line) => line.includes('"POST"'));
    await expect.poll(requests).toHaveLength(2);
    for (const line of requests()) expect(line).toContain('"status":400');
    expect(logLines.join('')).not.toContain('"level":"error"');
  });

  it('stops reading a body at the limit even if it has no Content-Length', async () => {
    const { server, call } = await start({ config: { limits: { request: { json_bytes: 1024 } } } });
    const chunk = new TextEncoder().encode('x'.repeat(1000));
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        controller.enqueue(chunk);
      },
    });

    const answered = await fetch(`${server.baseUrl}/agent/v1/embed/exchange`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: endless,
      duplex: 'half',
    } as RequestInit).then(
      (response) => response.status,
      () => 'cut',
    );

    expect([413, 'cut']).toContain(answered);
    expect(sent).toBeLessThan(10_000);
    expect((await call('GET', '/meta/v1/health')).status).toBe(200);
  });
});

describe('the address of the console', () => {
  it('has a link that signs in until an operator has a password, and only where the API key is shown', async () => {
    const data = temporaryFolder();
    const startAt = async (options: Parameters<typeof start>[0] = {}) =>
      (await start({ data, baseUrl: 'https://chat.example', ...options })).server;
    const linkOf = ({ consoleAddress }: RunningServer) =>
      /^https:\/\/chat\.example\/console\/#link=(link_[\w-]{43})$/.exec(consoleAddress ?? '')?.[1];
    const post = (server: RunningServer, path: string, body: object, headers: object = {}) =>
      server.app.request(`/console/api/${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
        body: JSON.stringify(body),
      });

    const first = await startAt();
    const unused = linkOf(first);
    await first.stop();
    const second = await startAt();
    const link = linkOf(second);
    expect((await post(second, 'session', { link: unused })).status).toBe(400);
    const signedIn = await post(second, 'session', { link });
    expect(signedIn.status).toBe(200);
    const { token } = (await signedIn.json()) as { token: string };
    const [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';');
    const headers = { cookie, 'x-console-token': token };
    const password = 'correct horse battery staple';
    expect((await post(second, 'password', { password }, headers)).status).toBe(200);
    await second.stop();
    const third = await startAt();
    await third.stop();
    const withKey = await startAt({ data: 'memory', apiKey });
    const disabled = await startAt({
      data: 'memory',
      config: { console: { enabled: false } },
    });

    expect([third, withKey].map(({ consoleAddress }) => consoleAddress)).toEqual([
      'https://chat.example/console/',
      'https://chat.example/console/',
    ]);
    expect(disabled.consoleAddress).toBeNull();
  });

  it('is not served with an INLAY_ADMIN_SECRET of less than 12 characters', async () => {
    await expect(start({ secrets: { INLAY_ADMIN_SECRET: 'short' } })).rejects.toThrow(
      'INLAY_ADMIN_SECRET must have at least 12 characters',
    );
  });
});
