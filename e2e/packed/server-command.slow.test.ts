/** The command of the built server package. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { startServer } from './start-server.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

it('the bundled server starts and responds to requests', async () => {
  const url = await startServer();

  const health = await fetch(`${url}/meta/v1/health`);

  expect(await health.json()).toMatchObject({ status: 'ok' });
});

it('the bundled command prepares the database of a new version', () => {
  const data = mkdtempSync(join(tmpdir(), 'inlay-migrate-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [join(root, 'packages/server/dist/inlay-server.js'), ...args], {
      cwd: data,
      env: { ...process.env, INLAY_DATA: data },
      encoding: 'utf8',
    });
  run('keys', 'create');

  expect(run('migrate')).toBe('The database is ready for this version.\n');
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
