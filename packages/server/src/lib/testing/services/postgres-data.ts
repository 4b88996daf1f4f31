import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
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

/** Of the one account that may do everything. */
export const account = { user: 'inlay', password: 'not-a-secret' };

/** Whom a folder belongs to and PostgreSQL runs as; undefined: the user who runs the tests. */
export type Owner = { uid: number; gid: number } | undefined;

/** A temporary folder with a `data` folder inside that PostgreSQL can be started on. */
export function makeDataFolder(owner: Owner): string {
  const folder = ownedFolder(owner);
  cpSync(template(owner), join(folder, 'data'), { recursive: true });
  own(folder, owner);
  return folder;
}

/** An initialised data folder, made once for each version of PostgreSQL and copied from then on. */
function template(owner: Owner): string {
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
  const made = join(cache, `inlay-postgres-${name.slice(0, 12)}`);
  if (existsSync(made)) return made;

  mkdirSync(cache, { recursive: true });
  const folder = ownedFolder(owner);
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, account.password);
  own(passwordFile, owner);
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
    renameSync(copy, made);
  } catch (error) {
    // Another test was faster.
    rmSync(copy, { recursive: true, force: true });
    if (!existsSync(made)) throw error;
  }
  return made;
}

/** PostgreSQL refuses to run as root. Its own user where there is one, else nobody's. */
export function unprivilegedUser(): Owner {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const found = ['postgres', 'nobody'].flatMap((name) =>
    users.filter(([each]) => each === name),
  )[0];
  if (!found) throw new Error('Run the tests as another user than root: PostgreSQL refuses root.');
  return { uid: Number(found[2]), gid: Number(found[3]) };
}

function ownedFolder(owner: Owner): string {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-postgres-'));
  own(folder, owner);
  return folder;
}

function own(path: string, owner: Owner): void {
  if (owner) execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, path]);
}
