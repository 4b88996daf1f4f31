/** The WordPress plug-in (`demo/backends/wordpress`) with a real platform, and stubs of the functions of WordPress. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPlatformClient } from '@inlay/node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../scripts/free-port.mjs';
import { startPlatform } from '../start-platform.ts';

const router = fileURLToPath(new URL('wordpress-stubs.php', import.meta.url));
const apiKey = 'sk-service-of-the-wordpress-plug-in';

function isInstalled() {
  try {
    execFileSync('php', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    console.log('The WordPress plug-in is left out: there is no `php`.');
    return false;
  }
}

/** Starts a site on which the plug-in has been activated and its settings saved. */
async function startSite(settings: Record<string, string> = {}) {
  const server = await startPlatform(
    { agents: [{ short_id: 'demo', name: 'Demo', model: { provider: 'scripted' }, embed: {} }] },
    { apiKey },
  );
  onTestFinished(() => server.stop());
  const folder = mkdtempSync(join(tmpdir(), 'inlay-wordpress-'));
  const port = await freePort();
  const child = spawn('php', ['-S', `127.0.0.1:${port}`, router], {
    env: { ...process.env, OPTIONS: join(folder, 'options.json') },
    stdio: 'ignore',
  });
  onTestFinished(async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    rmSync(folder, { recursive: true });
  });
  const request = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, `http://127.0.0.1:${port}`), init);
  await expect
    .poll(() =>
      request('/').then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  const saveSettings = (settings: Record<string, string>) => {
    const entries = Object.entries(settings).map(([name, value]) => [`inlay[${name}]`, value]);
    return request('/settings', { method: 'POST', body: new URLSearchParams(entries) });
  };
  const options = { server_url: server.baseUrl, agent: 'demo', everywhere: '1' };
  await request('/activate');
  const keys = { api_key: apiKey, publishable_key: 'pk_"demo"' };
  const firstSave = await saveSettings({ ...options, ...keys, ...settings });
  const platform = createPlatformClient({ baseUrl: server.baseUrl, apiKey });
  return { request, saveSettings, firstSave, platform, options };
}

const signedIn = { cookie: 'user=ada' };
const tokenUrl = (page: string) => /data-token-url="([^"]*)"/.exec(page)?.[1];

describe.runIf(isInstalled())('the WordPress plug-in', () => {
  it('issues tokens for the signed-in user only with the nonce of the page, and revokes them at sign-out', async () => {
    const { request, platform } = await startSite();
    const url = tokenUrl(await (await request('/', { headers: signedIn })).text()) as string;
    const post = (path: string, headers = {}) => request(path, { method: 'POST', headers });

    expect((await post('/wp-json/inlay/v1/token', signedIn)).status).toBe(401);
    expect((await post(`${url}-of-another`, signedIn)).status).toBe(403);
    expect((await post(url)).status).toBe(401);
    const response = await post(url, signedIn);

    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(Object.keys(await response.json()).sort()).toEqual(['expires_at', 'token']);
    await request('/sign-out', { headers: signedIn });
    const { data } = await platform.embedTokens.list({ agent_id: 'demo' });
    expect(data).toMatchObject([{ external_user_id: '7', revoked_at: expect.any(String) }]);
  });

  it('gives visitors the publishable key, escaped, and no URL of tokens', async () => {
    const { request } = await startSite();

    const page = await (await request('/button')).text();

    expect(page).toContain('data-publishable-key="pk_&quot;demo&quot;"');
    expect(tokenUrl(page)).toBeUndefined();
    expect(page).toContain('data-inlay-open>Ask us</button>');
    expect(page.match(/inlay\.js/g)).toHaveLength(1);
  });

  it('never shows the API key, keeps it when the field is empty, and forgets it for another server', async () => {
    const { request, saveSettings, options } = await startSite();
    const shown = await (await request('/settings')).text();
    const hasTokens = async () =>
      tokenUrl(await (await request('/', { headers: signedIn })).text()) !== undefined;

    await saveSettings({ ...options, api_key: '' });

    expect(shown).not.toContain(apiKey);
    expect(await hasTokens()).toBe(true);
    await saveSettings({ ...options, server_url: 'https://other.example', api_key: '' });
    expect(await hasTokens()).toBe(false);
  });

  it.each(['', 'chat.example', 'not an address', 'ftp://chat.example', 'https://'])(
    'refuses the server URL “%s”, and keeps the stored one with its key',
    async (address) => {
      const { request, saveSettings, options } = await startSite();

      const saved = await (await saveSettings({ ...options, server_url: address })).text();

      expect(saved).toContain('Server URL: enter an address such as https://chat.example.');
      const page = await (await request('/', { headers: signedIn })).text();
      expect(page).toContain(`src="${options.server_url}/inlay.js"`);
      expect(tokenUrl(page)).toBeDefined();
    },
  );

  it('shows an error of the first settings once', async () => {
    const { firstSave } = await startSite({ server_url: 'not an address' });

    expect((await firstSave.text()).match(/Server URL: enter/g)).toHaveLength(1);
  });
});
