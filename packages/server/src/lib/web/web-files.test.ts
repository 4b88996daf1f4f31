import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { setupServer } from '../testing/setup-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

function built(): string {
  const directory = join(temporaryFolder(), 'web');
  mkdirSync(directory);
  mkdirSync(join(directory, 'assets'));
  mkdirSync(join(directory, 'hosted'));
  writeFileSync(
    join(directory, 'hosted', 'index.html'),
    '<!doctype html><head><title>Hosted</title></head>',
  );
  writeFileSync(join(directory, 'inlay.js'), 'void 0');
  writeFileSync(join(directory, 'assets', 'chat-B4cD.js'), 'export {}');
  writeFileSync(join(directory, 'assets', 'chat-B4cD.css'), 'p{}');
  writeFileSync(`${directory}-secret.js`, 'secret');
  return directory;
}

describe('web files', () => {
  it('lets every page load the script, and asks for it again soon', async () => {
    const { app } = await setupServer({ webDirectory: built() });

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

  it('gives every page the picture of the demonstration, which can run nothing', async () => {
    const { app } = await setupServer({});

    const response = await app.request('/demo-picture.svg');

    expect(await response.text()).toMatch(/^<svg /);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cross-origin-resource-policy': 'cross-origin',
    });
  });

  it('keeps assets for ever', async () => {
    const { app } = await setupServer({ webDirectory: built() });

    const response = await app.request('/assets/chat-B4cD.css');

    expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(response.headers.get('cache-control')).toContain('immutable');
  });

  it('tells the hosted page the way back to the host of its agent, as text', async () => {
    const { app } = await setupServer({
      webDirectory: built(),
      agent: { hosted: { return_url: 'https://shop.example/?a=1&b="><script>$&' } },
    });

    const known = await (await app.request('/hosted/?agent=test')).text();
    const unknown = await (await app.request('/hosted/?agent=nobody')).text();

    expect(known).toContain(
      '<meta name="inlay-return-url" content="https://shop.example/?a=1&amp;b=',
    );
    expect(known).not.toContain('<script>');
    expect(known.match(/<\/head>/g)).toHaveLength(1);
    expect(unknown).not.toContain('inlay-return-url');
  });

  it('serves the hosted page under a strict policy, for any agent’s images', async () => {
    const { app } = await setupServer({
      webDirectory: built(),
      agent: { appearance: { image_origins: ['https://img.example'] } },
    });

    const response = await app.request('/hosted/');

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
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each([
    '/assets/..%2f..%2fsecret.js',
    '/assets/%2e%2e',
    '/assets/.hidden',
    '/assets/gone.js',
    '/assets/a%00.js',
  ])('has nothing at %s, and says so without being kept', async (path) => {
    const { app } = await setupServer({ webDirectory: built() });

    const response = await app.request(path);

    expect(response.status).toBe(404);
    expect(response.headers.get('cache-control') ?? 'no-store').toBe('no-store');
  });

  it('answers the request for an icon that every browser makes', async () => {
    const { app } = await setupServer();

    expect((await app.request('/favicon.ico')).status).toBe(204);
  });

  it('says what to do when nothing is built', async () => {
    const { app } = await setupServer();

    for (const path of ['/inlay.js', '/hosted/']) {
      const response = await app.request(path);
      expect(response.status).toBe(404);
      expect(await response.text()).toContain('npm run build:web');
    }
  });
});
