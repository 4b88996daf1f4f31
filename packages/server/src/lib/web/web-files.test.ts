import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { setupServer } from '../testing/setup-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

function createWebDirectory(): string {
  const directory = join(temporaryFolder(), 'web');
  mkdirSync(directory);
  mkdirSync(join(directory, 'assets'));
  mkdirSync(join(directory, 'hosted'));
  mkdirSync(join(directory, 'console'));
  writeFileSync(join(directory, 'console', 'index.html'), '<!doctype html><head></head>');
  writeFileSync(
    join(directory, 'hosted', 'index.html'),
    '<!doctype html><head><title>Hosted</title></head>',
  );
  writeFileSync(join(directory, 'inlay.js'), 'void 0');
  writeFileSync(join(directory, 'assets', 'chat-B4cD.js'), 'export {}');
  writeFileSync(join(directory, 'assets', 'chat-B4cD.css'), 'p{}');
  mkdirSync(join(directory, 'v', '0.0.1', 'assets'), { recursive: true });
  writeFileSync(join(directory, 'v', '0.0.1', 'inlay.js'), 'void "kept"');
  writeFileSync(join(directory, 'v', '0.0.1', 'assets', 'chat-A1.js'), 'export { old }');
  writeFileSync(join(directory, 'assets', '.hidden'), 'secret');
  // Outside of the directory: targets of the paths with `..`.
  writeFileSync(join(directory, '..', 'secret.js'), 'secret');
  writeFileSync(join(directory, '..', 'inlay.js'), 'secret');
  return directory;
}

describe('the file server', () => {
  it('allows every origin to load the script, and caches to keep it for 5 minutes', async () => {
    const { app } = await setupServer({ webDirectory: createWebDirectory() });

    const response = await app.request('/inlay.js');

    expect(await response.text()).toBe('void 0');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': expect.stringContaining('max-age=300'),
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^req_/),
    });
  });

  describe('a file that also exists in compressed form', () => {
    const source = `void ${'0'.repeat(1000)}`;

    async function setup() {
      const webDirectory = createWebDirectory();
      const path = join(webDirectory, 'inlay.js');
      writeFileSync(path, source);
      writeFileSync(`${path}.br`, brotliCompressSync(source));
      writeFileSync(`${path}.gz`, gzipSync(source));
      const { app } = await setupServer({ webDirectory });
      return (headers: Record<string, string>) => app.request('/inlay.js', { headers });
    }

    it.each([
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['*', 'br', brotliDecompressSync],
      ['br;q=0, gzip', 'gzip', gunzipSync],
      ['gzip', 'gzip', gunzipSync],
    ])(
      'is sent to a client with `Accept-Encoding: %s` in the encoding %s',
      async (accept, encoding, decompress) => {
        const get = await setup();

        const response = await get({ 'accept-encoding': accept });

        expect(response.headers.get('content-encoding')).toBe(encoding);
        expect(response.headers.get('vary')).toContain('Accept-Encoding');
        expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
        const bytes = Buffer.from(await response.arrayBuffer());
        expect(decompress(bytes).toString()).toBe(source);
        expect(bytes.byteLength).toBeLessThan(100);
      },
    );

    it('is sent uncompressed to other clients, with `Vary: Accept-Encoding`', async () => {
      const get = await setup();

      const response = await get({ 'accept-encoding': 'zstd' });

      expect(response.headers.get('content-encoding')).toBeNull();
      expect(response.headers.get('vary')).toContain('Accept-Encoding');
      expect(await response.text()).toBe(source);
    });

    it('leads to a 304 with CORS headers if the client already has it', async () => {
      const get = await setup();
      const first = await get({ 'accept-encoding': 'br' });
      const plain = await get({});

      const again = await get({
        'accept-encoding': 'br',
        'if-none-match': first.headers.get('etag') ?? '',
      });

      expect(first.headers.get('etag')).toMatch(/^".+"$/);
      expect(plain.headers.get('etag')).not.toBe(first.headers.get('etag'));
      expect(again.status).toBe(304);
      expect(await again.text()).toBe('');
      expect(Object.fromEntries(again.headers)).toMatchObject({
        etag: first.headers.get('etag'),
        'access-control-allow-origin': '*',
        'cache-control': expect.stringContaining('max-age=300'),
        vary: expect.stringContaining('Accept-Encoding'),
        'x-request-id': expect.stringMatching(/^req_/),
      });
    });
  });

  it('serves the current and earlier versions at immutable URLs', async () => {
    const { app } = await setupServer({ webDirectory: createWebDirectory() });
    const textAt = async (path: string) => (await app.request(path)).text();

    const current = await app.request('/v/0.0.0-test/inlay.js');

    expect(await current.text()).toBe('void 0');
    expect(current.headers.get('cache-control')).toContain('immutable');
    expect(current.headers.get('access-control-allow-origin')).toBe('*');
    expect(await textAt('/v/0.0.0-test/assets/chat-B4cD.js')).toBe('export {}');
    expect(await textAt('/v/0.0.1/inlay.js')).toBe('void "kept"');
    expect(await textAt('/v/0.0.1/assets/chat-A1.js')).toBe('export { old }');
  });

  it('returns an uncached 404 that names the current version for an unknown version', async () => {
    const { app } = await setupServer({ webDirectory: createWebDirectory() });

    const response = await app.request('/v/9.9.9/inlay.js');

    expect(response.status).toBe(404);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toContain('`/v/0.0.0-test/inlay.js`');
  });

  it('compresses the hosted page', async () => {
    const { app } = await setupServer({ webDirectory: createWebDirectory() });

    const response = await app.request('/hosted/', { headers: { 'accept-encoding': 'gzip' } });

    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(gunzipSync(await response.arrayBuffer()).toString()).toContain('Hosted');
  });

  it('allows caches to keep an asset forever', async () => {
    const { app } = await setupServer({ webDirectory: createWebDirectory() });

    const response = await app.request('/assets/chat-B4cD.css');

    expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(response.headers.get('cache-control')).toContain('immutable');
  });

  it('adds the return URL of the agent, escaped, to the hosted page', async () => {
    const { app } = await setupServer({
      webDirectory: createWebDirectory(),
      agent: { hosted: { return_url: 'https://shop.example/?a=1&b="><script>$&' } },
    });

    const withReturnUrl = await (await app.request('/hosted/?agent=test')).text();
    const unknown = await (await app.request('/hosted/?agent=nobody')).text();

    expect(withReturnUrl).toContain(
      '<meta name="inlay-return-url" content="https://shop.example/?a=1&amp;b=',
    );
    expect(withReturnUrl).not.toContain('<script>');
    expect(withReturnUrl.match(/<\/head>/g)).toHaveLength(1);
    expect(unknown).not.toContain('inlay-return-url');
  });

  it('adds the name of the agent, escaped, to the hosted page', async () => {
    const { app } = await setupServer({
      webDirectory: createWebDirectory(),
      agent: { name: 'Ada "$&" <b>' },
    });

    const page = await (await app.request('/hosted/?agent=test')).text();

    expect(page).toContain(
      '<meta name="inlay-agent-name" content="Ada &quot;$&amp;&quot; &lt;b&gt;">',
    );
  });

  it('leads back to the only origin of an agent without a return URL', async () => {
    const returnUrl = async (allowed_origins: string[]) => {
      const { app } = await setupServer({
        webDirectory: createWebDirectory(),
        agent: { embed: { allowed_origins } },
      });
      const page = await (await app.request('/hosted/?agent=test')).text();
      return /"inlay-return-url" content="([^"]*)"/.exec(page)?.[1];
    };

    expect(await returnUrl(['https://shop.example'])).toBe('https://shop.example');
    expect(await returnUrl(['https://*.shop.example'])).toBeUndefined();
    expect(await returnUrl(['https://shop.example', 'https://other.example'])).toBeUndefined();
  });

  it('serves the console at all of its addresses, and in no frame of another page', async () => {
    const { app } = await setupServer({ webDirectory: createWebDirectory() });

    const first = await app.request('/console');
    expect([first.status, first.headers.get('location')]).toEqual([308, '/console/']);
    for (const path of ['/console/', '/console/conversations/ses_1']) {
      const response = await app.request(path);
      expect(await response.text()).toContain('<base href="/console/">');
      const policy = response.headers.get('content-security-policy');
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy).not.toContain('unsafe');
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'x-frame-options': 'DENY',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      });
    }
    expect((await app.request('/console/', { method: 'POST' })).status).toBe(405);
  });

  it('serves the console at `console.path`, and nowhere else', async () => {
    const { app } = await setupServer({
      webDirectory: createWebDirectory(),
      config: { console: { path: '/staff' } },
    });

    expect((await app.request('/staff')).headers.get('location')).toBe('/staff/');
    const page = await app.request('/staff/conversations/ses_1');
    expect(await page.text()).toContain('<base href="/staff/">');
    expect((await app.request('/staff/api/sign_in')).status).toBe(200);
    expect((await app.request('/staff/api/session', { method: 'POST' })).status).toBe(401);
    expect((await app.request('/staffed/')).status).toBe(404);
    for (const path of ['/console', '/console/', '/console/api/sign_in', '/console/staff/']) {
      expect((await app.request(path)).status).toBe(404);
    }
  });

  it.each([
    ['/agent', 'is a path of the platform itself'],
    ['/chat-model', 'is already the prefix of `compatible.chat_model`'],
    ['/a/console', 'must be a slash and one segment'],
    ['', 'must be a slash and one segment'],
  ])('refuses the path “%s” for the console', async (path, message) => {
    await expect(setupServer({ config: { console: { path } } })).rejects.toThrow(
      `console.path ${message}`,
    );
  });

  it('serves no console if it is disabled', async () => {
    const { app } = await setupServer({
      webDirectory: createWebDirectory(),
      config: { console: { enabled: false } },
    });

    for (const path of ['/console', '/console/', '/console/api/session']) {
      expect((await app.request(path)).status).toBe(404);
    }
  });

  it('serves the hosted page with a strict content security policy that allows the image origins of its agent', async () => {
    const { app, backend } = await setupServer({
      webDirectory: createWebDirectory(),
      agent: { appearance: { image_origins: ['https://img.example'] } },
    });
    await backend('POST', '/agent/v1/agents', {
      short_id: 'other',
      name: 'Other',
      model: { provider: 'scripted' },
      appearance: { image_origins: ['https://img.customer.example'] },
    });

    const response = await app.request('/hosted/?agent=test');
    const withoutAgent = await app.request('/hosted/');

    expect(await response.text()).toContain('Hosted');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    const policy = response.headers.get('content-security-policy')?.split('; ');
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data: blob: https://img.example",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types lit-html',
    ]);
    expect(withoutAgent.headers.get('content-security-policy')).toContain(
      "img-src 'self' data: blob:;",
    );
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each([
    '/assets/..%2f..%2fsecret.js',
    '/assets/%2e%2e',
    '/assets/.hidden',
    '/assets/gone.js',
    '/assets/a%00.js',
    '/v/..%2f..%2f/inlay.js',
  ])('returns an uncached 404 for %s', async (path) => {
    const { app } = await setupServer({ webDirectory: createWebDirectory() });

    const response = await app.request(path);

    expect(response.status).toBe(404);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('returns 204 for the favicon request of browsers', async () => {
    const { app } = await setupServer();

    expect((await app.request('/favicon.ico')).status).toBe(204);
  });

  it('explains how to build the files if they are missing', async () => {
    const { app } = await setupServer();

    for (const path of ['/inlay.js', '/hosted/']) {
      const response = await app.request(path);
      expect(response.status).toBe(404);
      expect(await response.text()).toContain('npm run build:web');
    }
  });
});
