import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const entryPath = fileURLToPath(new URL('../../../packages/server/src/main.ts', import.meta.url));
const tsxUrl = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/**
 * Runs `inlay-server keys`, as the operator does.
 *
 * @param folder The folder of the platform's store.
 * @returns The output of the command.
 */
export async function manageKeys(folder: string, ...command: string[]): Promise<string> {
  const program = ['--conditions=source', '--import', tsxUrl, entryPath, 'keys'];
  const { stdout } = await promisify(execFile)(process.execPath, [...program, ...command], {
    cwd: folder,
    env: { PATH: process.env.PATH, INLAY_DATA: folder },
  });
  return stdout;
}

/** Creates an API key, and returns it with its id. */
export async function createKey(folder: string): Promise<{ key: string; id: string }> {
  const key = keyIn(await manageKeys(folder, 'create'));
  const [id = ''] = /^key_\S+/m.exec(await manageKeys(folder, 'list')) ?? [];
  return { key, id };
}

/** Extracts the key that a command prints after a colon. */
export function keyIn(output: string): string {
  return output.trim().split(': ').at(-1) ?? '';
}
