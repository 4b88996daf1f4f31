import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { ConfigInput } from '../config/config.ts';
import { createPlatformApi, type PlatformApi } from './platform-api.ts';
import { watchWritten } from './secret-watch/secret-watch.ts';
import { testApiKey, testOrigin } from './setup-server.ts';

/** Built by the global setup of the tests. */
const program = fileURLToPath(new URL('../../../dist/inlay-server.js', import.meta.url));

/** The platform in its own process, as the published package runs it. */
export interface ServerProcess extends PlatformApi {
  child: ChildProcess;
  /** Resolves with the exit code when the process ends; null if a signal killed it. */
  exited: Promise<number | null>;
  /** Returns what the process has logged so far. */
  log(): string;
  /** Kills the process, unless it has ended. */
  kill(): Promise<void>;
}

/**
 * Starts a server process with an embedded store in `data`. The process is killed after the test.
 */
export async function startProcess(
  data: string,
  config: Partial<ConfigInput> = {},
): Promise<ServerProcess> {
  const server = await spawnServer(config, { INLAY_DATA: data });
  onTestFinished(() => server.kill());
  return server;
}

/**
 * Starts a server process that runs until `kill` is called.
 *
 * @param stderr A file descriptor to which the process writes its log; by default a pipe to this
 *   process.
 */
export async function spawnServer(
  config: Partial<ConfigInput>,
  environment: Record<string, string>,
  stderr: 'pipe' | number = 'pipe',
): Promise<ServerProcess> {
  const file = join(mkdtempSync(join(tmpdir(), 'inlay-server-')), 'inlay.config.json');
  writeFileSync(file, JSON.stringify(configOf(config)));
  const child = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      PORT: '0',
      INLAY_CONFIG: file,
      INLAY_API_KEY: testApiKey,
      INLAY_BASE_URL: '',
      DATABASE_URL: '',
      REDIS_URL: '',
      ...environment,
    },
    stdio: ['ignore', 'pipe', stderr],
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (lines: string) => {
    log += lines;
    watchWritten('the log of a process', lines);
  });
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
    rmSync(dirname(file), { recursive: true, force: true });
  };
  const url = await addressOf(child, environment.PORT).catch(async (error: unknown) => {
    await kill();
    throw new Error(`${String(error)}\n${log}`);
  });
  return { ...createPlatformApi(url), child, exited, log: () => log, kill };
}

/** The outcome of a command. */
export interface CommandResult {
  status: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command of the program in its own process.
 *
 * @param shell Commands that a shell runs first, such as `ulimit`.
 */
export async function runCommand(
  args: readonly string[],
  environment: Record<string, string>,
  shell = ':',
): Promise<CommandResult> {
  const child = spawn(
    'sh',
    ['-c', `${shell}; exec "$@"`, 'sh', process.execPath, program, ...args],
    {
      env: { ...process.env, DATABASE_URL: '', REDIS_URL: '', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const exited = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  watchWritten('the output of a command', stderr);
  const [status] = await exited;
  return { status, stdout, stderr };
}

/** Reads the address from the standard output: the server prints the address once it listens. */
function addressOf(child: ChildProcess, requestedPort: string | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (lines: Buffer) => {
      output += lines;
      const actualPort = /listens on \S+:(\d+)/.exec(output)?.[1];
      const port = actualPort && (requestedPort ?? actualPort);
      if (port) resolve(`http://127.0.0.1:${port}`);
    });
    child.once('exit', (code) => reject(new Error(`The server process exited with code ${code}.`)));
  });
}

function configOf(config: Partial<ConfigInput>): ConfigInput {
  const unlimited = { requests_per_second: 100_000, concurrent: 1000 };
  return {
    limits: { api_key: unlimited, api_key_stops: unlimited, source: unlimited, public: unlimited },
    agents: [
      {
        short_id: 'test',
        name: 'Test agent',
        model: { provider: 'scripted', delay_ms: 20, first_delay_ms: 0 },
        embed: { allowed_origins: [testOrigin], limits: unlimited },
      },
    ],
    ...config,
  };
}
