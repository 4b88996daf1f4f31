/** The command of the built server package. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const command = `${root}packages/server/dist/inlay-server.js`;

/** Starts the server on a free port. Returns its address. */
async function startServer(): Promise<string> {
  const child = spawn(process.execPath, [command], {
    env: { PATH: process.env.PATH, PORT: '0', INLAY_DATA: 'memory' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (text: Buffer) => {
    output += text;
  });
  child.stderr.on('data', (text: Buffer) => {
    output += text;
  });
  const port = () => /listens on \S*:(\d+)/.exec(output)?.[1];
  const exited = once(child, 'exit');
  while (port() === undefined) {
    const ended = await Promise.race([once(child.stdout, 'data').then(() => false), exited]);
    if (ended) throw new Error(`The command ended:\n${output}`);
  }
  return `http://127.0.0.1:${port()}`;
}

it('the bundled server starts and responds to requests', async () => {
  const url = await startServer();

  const health = await fetch(`${url}/meta/v1/health`);

  expect(await health.json()).toMatchObject({ status: 'ok' });
});

it.each(['br', 'gzip', 'identity'])(
  'the build prints the integrity hash of the script that the server sends with encoding %s',
  async (encoding) => {
    // The last command of the build prints the hash. It can be repeated without the rest of the build.
    const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
    const lastCommand = String(scripts.build).split(' && ').at(-1) ?? '';
    const printed = execFileSync('sh', ['-c', lastCommand], { cwd: root, encoding: 'utf8' });
    const [, path = '', hash] = /^(\S+) has integrity="(sha384-\S+)"$/m.exec(printed) ?? [];
    const url = await startServer();

    const pinned = await fetch(`${url}${path}`, { headers: { 'accept-encoding': encoding } });
    const current = await fetch(`${url}/inlay.js`, { headers: { 'accept-encoding': encoding } });

    expect(pinned.status).toBe(200);
    expect(pinned.headers.get('content-encoding') ?? 'identity').toBe(encoding);
    for (const response of [pinned, current]) {
      const script = Buffer.from(await response.arrayBuffer());
      expect(`sha384-${createHash('sha384').update(script).digest('base64')}`).toBe(hash);
    }
  },
);
