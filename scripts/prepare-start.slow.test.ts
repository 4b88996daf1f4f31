import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

const run = (program: string, args: string[], port: number) =>
  spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PORT: String(port), DEMO_PORT: '0' },
  });

it.each(['start', 'demo'])('npm run %s reports a taken port before it builds', async (script) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };

  const { status, stdout, stderr } = run('npm', ['run', '--silent', script], port);

  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: `Port ${port} is in use. Stop the other program, or set PORT to another port.\n`,
  });
});

it('a second start reuses the build of the first one', () => {
  const prepare = () => run('node', ['scripts/prepare-start.mjs', 'demo'], 0);
  expect(prepare().status).toBe(0);

  expect(prepare()).toMatchObject({ status: 0, stdout: 'Starting …\n', stderr: '' });
});
