/** The command of the built server package. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const command = fileURLToPath(
  new URL('../../packages/server/dist/inlay-server.js', import.meta.url),
);

it('the bundled server starts and answers requests', async () => {
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
  const address = () => /listens on \S*:(\d+)/.exec(output)?.[1];
  const exited = once(child, 'exit');
  while (address() === undefined) {
    const ended = await Promise.race([once(child.stdout, 'data').then(() => false), exited]);
    if (ended) throw new Error(`The command ended:\n${output}`);
  }

  const health = await fetch(`http://127.0.0.1:${address()}/meta/v1/health`);

  expect(await health.json()).toMatchObject({ status: 'ok' });
});
