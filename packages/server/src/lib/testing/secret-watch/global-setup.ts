import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecretFinder } from './find-secrets.ts';
import type { SecretLine, WrittenLine } from './secret-watch.ts';

/** Findings that are told of; a hole in one place makes hundreds. */
const mostTold = 20;

/** Where the workers leave what they saw; undefined where another project's setup watches. */
let folder: string | undefined;

/** Lets the workers keep what servers issue and write. Of several projects, the first watches for all. */
export function setup(): void {
  if (process.env.INLAY_SECRET_WATCH) return;
  folder = mkdtempSync(join(tmpdir(), 'inlay-secret-watch-'));
  process.env.INLAY_SECRET_WATCH = folder;
}

/**
 * Looks for every secret that was issued in everything that was written: logs, tables, database
 * files, answers that are no issuance, addresses. One that is found fails the run.
 */
export function teardown(): void {
  if (folder === undefined) return;
  delete process.env.INLAY_SECRET_WATCH;
  try {
    lookForSecrets(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function lookForSecrets(folder: string): void {
  const secrets = new Map(
    linesOf<SecretLine>(folder, 'secrets').map(({ secret, issuedIn }) => [secret, issuedIn]),
  );
  const find = createSecretFinder(secrets.keys());
  const found = new Set<string>();
  let length = 0;
  const look = ({ place, text }: WrittenLine) => {
    length += text.length;
    for (const { secret, index } of find(text)) {
      const around = text.slice(Math.max(0, index - 40), index).replaceAll(/\s+/g, ' ');
      found.add(`${place}: after “${around}”, the secret of “${secrets.get(secret)}”`);
    }
  };
  for (const line of linesOf<WrittenLine>(folder, 'written')) look(line);
  for (const { name, place } of linesOf<{ name: string; place: string }>(folder, 'files')) {
    look({ place, text: readFileSync(join(folder, 'files', name), 'latin1') });
  }
  if (found.size > 0) {
    const told = [...found].slice(0, mostTold).map((line) => `  ${line}`);
    // Vitest tells of what a teardown throws, and then ends as if nothing were wrong.
    process.exitCode = 1;
    throw new Error(
      `Secrets were written down, in ${found.size} places:\n${told.join('\n')}\nWrite hashes, or nothing.`,
    );
  }
  const megabytes = (length / 1e6).toFixed(1);
  console.log(`None of ${secrets.size} secrets stands in ${megabytes} MB that servers wrote.`);
}

function linesOf<Line>(folder: string, kind: string): Line[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(`.${kind}`))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
