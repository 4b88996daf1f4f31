import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { setupServer } from '../testing/setup-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

/** Sets up a server that limits each source address to one request per second. */
async function setup({ isBuilt = true } = {}) {
  const webDirectory = temporaryFolder();
  if (isBuilt) {
    const folder = join(webDirectory, 'api-reference');
    mkdirSync(folder);
    writeFileSync(join(folder, 'swagger-ui.css'), 'p{}');
    writeFileSync(join(folder, 'swagger-ui-bundle.js'), 'void 0');
    writeFileSync(join(folder, 'other.js'), 'void 1');
    writeFileSync(join(webDirectory, 'secret'), 'secret');
  }
  const limits = { source: { requests_per_second: 1, concurrent: 1 } };
  const { app } = await setupServer({ webDirectory, config: { limits } });
  return app;
}

describe('the API reference at /meta/v1/docs', () => {
  it('has a content security policy that allows neither other origins nor inline code', async () => {
    const app = await setup();

    const response = await app.request('/meta/v1/docs');

    expect(response.status).toBe(200);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:/);
    const addresses = [...(await response.text()).matchAll(/(?:src|href)="(.*?)"/g)];
    expect(addresses.map(([, address]) => address)).toEqual([
      'docs/swagger-ui.css',
      'docs/start.css',
      'docs/swagger-ui-bundle.js',
      'docs/start.js',
      'openapi.json',
    ]);
  });

  it.each([
    ['swagger-ui.css', 'text/css; charset=utf-8'],
    ['start.css', 'text/css; charset=utf-8'],
    ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['start.js', 'text/javascript; charset=utf-8'],
  ])('serves %s as %s', async (name, type) => {
    const app = await setup();

    const response = await app.request(`/meta/v1/docs/${name}`);

    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    expect(response.headers.get('etag')).not.toBeNull();
  });

  it('is not rate limited', async () => {
    const app = await setup();

    const statuses = [];
    for (let count = 0; count < 10; count += 1) {
      statuses.push((await app.request('/meta/v1/docs')).status);
    }

    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it.each(['other.js', 'nothing', '..%2fsecret'])('returns 404 for the file %s', async (name) => {
    const app = await setup();

    expect((await app.request(`/meta/v1/docs/${name}`)).status).toBe(404);
  });

  it('explains how to build the files for browsers if they are missing', async () => {
    const app = await setup({ isBuilt: false });

    const response = await app.request('/meta/v1/docs');

    expect(response.status).toBe(404);
    expect(await response.text()).toContain('npm run build:web');
  });

  it('refuses methods other than GET, HEAD and OPTIONS', async () => {
    const app = await setup();

    const response = await app.request('/meta/v1/docs', { method: 'POST' });

    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});
