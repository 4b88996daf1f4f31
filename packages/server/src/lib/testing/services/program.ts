import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';

/** A program that a test started, with what it said. */
export interface RunningProgram {
  readonly child: ChildProcess;
  /** Sends a signal and waits for the end. Twice is fine. */
  end(signal: NodeJS.Signals): Promise<void>;
}

export interface ProgramOptions {
  command: string;
  args: readonly string[];
  /** What it writes when it answers. */
  ready: RegExp;
  /** Runs as this user; as the one that runs the tests unless given. */
  user?: { uid: number; gid: number } | undefined;
  cwd?: string;
}

/** Milliseconds that a program gets to come up on a machine that is busy with other tests. */
const patience = 60_000;

const folders = () => [
  ...(process.env.PATH ?? '').split(delimiter),
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/local/sbin',
  '/opt/homebrew/bin',
  ...postgresFolders(),
];

/** Where a program lies. Throws a sentence that says what to install. */
export function findProgram(name: string, debianPackage: string): string {
  const found = folders()
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable);
  if (found !== undefined) return found;
  throw new Error(
    `These tests start a real \`${name}\`, and there is none on PATH. Install it: \`apt-get install ${debianPackage}\` on Debian, or what your system calls that package.`,
  );
}

/** Starts a program and waits until it says that it answers. Throws with all that it said. */
export async function startProgram(options: ProgramOptions): Promise<RunningProgram> {
  const { command, args, ready, user, cwd } = options;
  const child = spawn(command, args, {
    ...user,
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const killAlong = () => child.kill('SIGKILL');
  process.once('exit', killAlong);
  await new Promise<void>((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => fail('did not come up'), patience);
    const hear = (text: Buffer) => {
      said += text;
      if (ready.test(said)) settle(resolve);
    };
    const fail = (what: string) => {
      child.kill('SIGKILL');
      settle(() => reject(new Error(`${command} ${what}: ${said}`)));
    };
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      for (const output of [child.stdout, child.stderr]) output?.off('data', hear).resume();
      outcome();
    };
    for (const output of [child.stdout, child.stderr]) output?.on('data', hear);
    child.once('error', (error) => fail(`could not be started (${error.message})`));
    child.once('exit', (code) => fail(`ended with code ${code}`));
  });
  return {
    child,
    async end(signal) {
      // One that is stopped takes no other signal.
      child.kill('SIGCONT');
      child.kill(signal);
      await exited;
      process.off('exit', killAlong);
    },
  };
}

/** A port of this machine that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address === 'object' && address) return address.port;
  throw new Error('This machine gives no free port.');
}

/** Debian keeps the server's programs off PATH, one folder for each version: the newest first. */
function postgresFolders(): string[] {
  const versions = '/usr/lib/postgresql';
  try {
    return readdirSync(versions)
      .toSorted((a, b) => Number(b) - Number(a))
      .map((version) => join(versions, version, 'bin'));
  } catch {
    return [];
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
