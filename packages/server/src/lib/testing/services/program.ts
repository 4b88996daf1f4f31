import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program that a test started. */
export interface RunningProgram {
  readonly child: ChildProcess;
  /** Sends a signal and waits for the exit. May be called twice. */
  end(signal: NodeJS.Signals): Promise<void>;
}

export interface ProgramOptions {
  command: string;
  args: readonly string[];
  /** Matches the output of the program once it is ready. */
  ready: RegExp;
  /** The user who runs the program; by default the current user. */
  user?: { uid: number; gid: number } | undefined;
  cwd?: string;
}

/** Maximum milliseconds until a program is ready, on a busy machine. */
const startTimeout = 60_000;

/** Folders in which programs are searched for. */
const searchPath = () => [
  ...(process.env.PATH ?? '').split(delimiter),
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/local/sbin',
  '/opt/homebrew/bin',
  ...postgresFolders(),
];

/** Finds the path of a program; throws an error that names the package to install. */
export function findProgram(name: string, debianPackage: string): string {
  const found = searchPath()
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable);
  if (found !== undefined) return found;
  throw new Error(
    `These tests start a real \`${name}\`, and there is none on PATH. Install it: \`apt-get install ${debianPackage}\` on Debian, or what your system calls that package.`,
  );
}

/**
 * Starts a program and waits until it is ready. Rejects with its output if it does not become
 * ready.
 */
export async function startProgram(options: ProgramOptions): Promise<RunningProgram> {
  const { command, args, ready, user, cwd } = options;
  const child = spawn(command, args, {
    ...user,
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const killChild = () => child.kill('SIGKILL');
  process.once('exit', killChild);
  await new Promise<void>((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => fail('did not become ready'), startTimeout);
    const onOutput = (text: Buffer) => {
      output += text;
      if (ready.test(output)) settle(resolve);
    };
    const fail = (what: string) => {
      child.kill('SIGKILL');
      settle(() => reject(new Error(`${command} ${what}: ${output}`)));
    };
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      for (const stream of [child.stdout, child.stderr]) stream?.off('data', onOutput).resume();
      outcome();
    };
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', onOutput);
    child.once('error', (error) => fail(`could not be started (${error.message})`));
    child.once('exit', (code) => fail(`ended with code ${code}`));
  });
  return {
    child,
    async end(signal) {
      // A suspended process handles other signals only after SIGCONT.
      child.kill('SIGCONT');
      child.kill(signal);
      await exited;
      process.off('exit', killChild);
    },
  };
}

/** Folders of PostgreSQL on Debian, which are not in PATH, newest version first. */
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
