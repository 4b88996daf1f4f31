/** The receivers of webhooks in other languages. Languages that are not installed are left out with a message. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createPlatformClient } from '@inlay/node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../scripts/free-port.mjs';
import { startPlatform } from '../start-platform.ts';

const file = (name: string) =>
  fileURLToPath(new URL(`../../demo/backends/${name}`, import.meta.url));
const apiKey = 'sk-service-of-the-receivers-in-other-languages';

const receivers: Record<string, (port: number) => readonly string[]> = {
  python3: () => [file('webhooks.py')],
  php: (port) => ['-S', `127.0.0.1:${port}`, file('webhooks.php')],
};
const installed = Object.keys(receivers).filter((command) => {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    console.log(`The receiver is left out: there is no \`${command}\`.`);
    return false;
  }
});

async function setup(command: string) {
  const platform = await startPlatform(
    {
      agents: [{ short_id: 'demo', name: 'Demo', model: { provider: 'scripted' } }],
      webhooks: { allowed_private_hosts: ['127.0.0.1'] },
    },
    { apiKey },
  );
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const { webhookEndpoints } = createPlatformClient({ baseUrl: platform.baseUrl, apiKey });
  const { id, secret = '' } = await webhookEndpoints.create({ url, events: ['token.revoked'] });
  const child = spawn(command, receivers[command]?.(port) ?? [], {
    env: { ...process.env, PORT: String(port), INLAY_WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output += data;
    });
  }
  onTestFinished(async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await platform.stop();
  });
  await expect.poll(() => fetch(url).then(({ ok }) => ok || true)).toBe(true);
  return { webhookEndpoints, id, url, output: () => output };
}

describe.each(installed)('the receiver in %s', (command) => {
  it('accepts the webhooks of the platform, also after a rotation of the secret', async () => {
    const { webhookEndpoints, id, output } = await setup(command);
    const delivered = async () =>
      (await webhookEndpoints.deliveries(id, { status: 'delivered' })).data.length;

    await webhookEndpoints.test(id);
    await expect.poll(delivered).toBe(1);
    await webhookEndpoints.rotateSecret(id);
    await webhookEndpoints.test(id);
    await expect.poll(delivered).toBe(2);

    await expect.poll(output).toContain('webhook.test');
  });

  it('rejects requests without a valid signature', async () => {
    const { url, output } = await setup(command);
    const headers = {
      'webhook-id': 'whd_1',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': 'v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    };
    const body = JSON.stringify({ type: 'forged', timestamp: '', data: {} });

    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(400);
    expect((await fetch(url, { method: 'POST', body })).status).toBe(400);
    expect(output()).not.toContain('forged');
  });
});
