import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const command = fileURLToPath(
  new URL('../../packages/server/dist/inlay-server.js', import.meta.url),
);

export interface ServerOptions {
  /** The configuration. By default, the server has the default configuration. */
  readonly config?: object;
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the command of the built server package on a free port. Returns its address. */
export async function startServer({ config, env }: ServerOptions = {}): Promise<string> {
  const child = spawn(process.execPath, [command], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      INLAY_DATA: 'memory',
      ...(config && { INLAY_CONFIG: writeConfig(config) }),
      ...env,
    },
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

function writeConfig(config: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-packed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'inlay.config.json');
  writeFileSync(path, JSON.stringify(config));
  return path;
}
