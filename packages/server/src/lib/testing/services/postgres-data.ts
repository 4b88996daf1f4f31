import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram } from './program.ts';

/** Credentials of the superuser. */
export const account = { user: 'inlay', password: 'not-a-secret' };

/** The user who owns the folder and runs PostgreSQL; undefined for the current user. */
export type Owner = { uid: number; gid: number } | undefined;

/** Creates a temporary folder that contains an initialized data directory, `data`. */
export function makeDataFolder(owner: Owner): string {
  const folder = ownedFolder(owner);
  const data = join(folder, 'data');
  cpSync(templateDirectory(owner), data, { recursive: true });
  // PostgreSQL refuses a folder that others can read. Since Node 22, `cpSync` does not keep the mode.
  chmodSync(data, 0o700);
  changeOwner(folder, owner);
  return folder;
}

/** Returns an initialized data directory, which is created once for each version of PostgreSQL. */
function templateDirectory(owner: Owner): string {
  const initdb = findProgram('initdb', 'postgresql');
  const settings = [
    `--username=${account.user}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--wal-segsize=1',
    '--no-sync',
  ];
  const version = execFileSync(initdb, ['--version'], { encoding: 'utf8' });
  const name = createHash('sha256')
    .update([version, ...settings].join(' '))
    .digest('hex');
  const cache = fileURLToPath(new URL('../../../../../../node_modules/.cache', import.meta.url));
  const cached = join(cache, `inlay-postgres-${name.slice(0, 12)}`);
  if (existsSync(cached)) return cached;

  mkdirSync(cache, { recursive: true });
  const folder = ownedFolder(owner);
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, account.password);
  changeOwner(passwordFile, owner);
  execFileSync(initdb, [...settings, `--pwfile=${passwordFile}`, '-D', join(folder, 'data')], {
    ...owner,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, LC_ALL: 'C' },
  });
  const copy = mkdtempSync(join(cache, 'making-'));
  cpSync(join(folder, 'data'), copy, { recursive: true });
  rmSync(folder, { recursive: true, force: true });
  try {
    renameSync(copy, cached);
  } catch (error) {
    // Another worker has created the directory in the meantime.
    rmSync(copy, { recursive: true, force: true });
    if (!existsSync(cached)) throw error;
  }
  return cached;
}

/** Returns the user who runs PostgreSQL, which refuses to run as root. */
export function unprivilegedUser(): Owner {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = ['postgres', 'nobody'].flatMap((name) =>
    users.filter(([userName]) => userName === name),
  )[0];
  if (!user) throw new Error('Run the tests as another user than root: PostgreSQL refuses root.');
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

function ownedFolder(owner: Owner): string {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-postgres-'));
  changeOwner(folder, owner);
  return folder;
}

function changeOwner(path: string, owner: Owner): void {
  if (owner) execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, path]);
}
