/** Processes for the tests of applications that use the packed packages. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../free-port.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { INLAY_API_KEY: _secret, ...environment } = process.env;
const env = {
  ...environment,
  CI: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  NG_CLI_ANALYTICS: 'false',
  npm_config_loglevel: 'error',
};
/** The processes that `spawnServer` has started. */
const started = [];

/**
 * Builds the packages and packs them.
 *
 * @param {string} folder Where to write the tarballs.
 * @returns {Promise<Record<string, string>>} The version for `npm install`, a `file:` URL, by package name.
 */
export async function packPackages(folder) {
  await run(root, 'npm', ['run', 'build']);
  const packed = ['protocol', 'client', 'elements', 'react', 'node', 'server'];
  const workspaces = packed.flatMap((name) => ['-w', `@inlay/${name}`]);
  await run(root, 'npm', ['pack', '--pack-destination', folder, ...workspaces]);
  const tarballs = readdirSync(folder).filter((entry) => entry.endsWith('.tgz'));
  return Object.fromEntries(
    tarballs.map((entry) => [
      `@inlay/${entry.replace(/^inlay-([a-z]+)-.*/, '$1')}`,
      `file:${join(folder, entry)}`,
    ]),
  );
}

/** Starts the platform of an application, and returns its address. */
export async function startPlatform(app, variables) {
  const port = await freePort();
  const server = spawnServer(app, 'npm', ['run', 'platform'], {
    PORT: String(port),
    INLAY_DATA: 'memory',
    ...variables,
  });
  const url = `http://localhost:${port}`;
  await waitForServer(`${url}/meta/v1/health`, server);
  return url;
}

/** Starts a server. `endAll` ends it. */
export function spawnServer(cwd, command, parameters, variables) {
  const child = spawn(command, parameters, {
    cwd,
    env: { ...env, HOST: '127.0.0.1', NITRO_HOST: '127.0.0.1', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Creates a process group, so that `end` reaches all processes: npm does not forward signals.
    detached: true,
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => output.push(data));
  started.push(child);
  return { child, log: () => Buffer.concat(output).toString().slice(-6000) };
}

/** Ends all servers that `spawnServer` has started. */
export async function endAll() {
  for (const child of started) await end(child);
}

/** Ends the process group of a server. */
export async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  process.kill(-child.pid, 'SIGKILL');
  await closed;
}

export async function waitForServer(url, { child, log }) {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline && child.exitCode === null) {
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return;
    await delay(100);
  }
  throw new Error(`There is no server at ${url}:\n${log()}`);
}

/** Runs a command and returns its output. Rejects with the output if the command fails. */
export async function run(cwd, command, parameters, variables = {}) {
  const child = spawn(command, parameters, {
    cwd,
    env: { ...env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => output.push(data));
  const [status] = await once(child, 'close');
  const text = Buffer.concat(output).toString();
  if (status === 0) return text;
  throw new Error(`${command} ${parameters.join(' ')} failed:\n${text.slice(-6000)}`);
}
