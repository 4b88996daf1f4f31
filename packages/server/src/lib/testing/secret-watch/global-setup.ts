import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createSecretFinder } from './find-secrets.ts';
import type { CopiedFile, SecretLine, WrittenLine } from './secret-watch.ts';

/** Maximum number of reported findings; one leak causes hundreds. */
const maximumReported = 20;

/** Folder for the records of the workers; undefined if the setup of another project created it. */
let folder: string | undefined;

/**
 * Makes the workers record what servers issue and write. If several projects run, the first one
 * records for all.
 */
export function setup(): void {
  if (process.env.INLAY_SECRET_WATCH) return;
  folder = mkdtempSync(join(tmpdir(), 'inlay-secret-watch-'));
  process.env.INLAY_SECRET_WATCH = folder;
}

/**
 * Searches everything that was written (logs, tables, database files, URLs, responses other than
 * issuances) for every secret that was issued. A finding fails the run.
 */
export async function teardown(): Promise<void> {
  if (folder === undefined) return;
  delete process.env.INLAY_SECRET_WATCH;
  try {
    await searchForSecrets(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function searchForSecrets(folder: string): Promise<void> {
  const secrets = new Map<string, string>();
  for await (const { secret, issuedIn } of linesOf<SecretLine>(folder, 'secrets')) {
    secrets.set(secret, issuedIn);
  }
  const find = createSecretFinder(secrets.keys());
  const found = new Set<string>();
  let length = 0;
  const search = async ({ place, text }: WrittenLine) => {
    // Vitest reports workers as stuck if it cannot read their messages for ten seconds.
    await setImmediate();
    length += text.length;
    for (const { secret, index } of find(text)) {
      const textBefore = text.slice(Math.max(0, index - 40), index).replaceAll(/\s+/g, ' ');
      found.add(`${place}: after “${textBefore}”, the secret of “${secrets.get(secret)}”`);
    }
  };
  for await (const line of linesOf<WrittenLine>(folder, 'written')) await search(line);
  for await (const { name, place } of linesOf<CopiedFile>(folder, 'files')) {
    await search({ place, text: readFileSync(join(folder, 'files', name), 'latin1') });
  }
  if (found.size > 0) {
    const reported = [...found].slice(0, maximumReported).map((line) => `  ${line}`);
    // Vitest prints an error of a teardown, but exits with 0.
    process.exitCode = 1;
    throw new Error(
      `Secrets were written in ${found.size} places:\n${reported.join('\n')}\nWrite hashes, or nothing.`,
    );
  }
  const megabytes = (length / 1e6).toFixed(1);
  console.log(`None of ${secrets.size} secrets was found in ${megabytes} MB of server output.`);
}

/** Reads the lines in pieces, because the records of a whole run have hundreds of megabytes. */
async function* linesOf<Line>(folder: string, kind: string): AsyncGenerator<Line> {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(`.${kind}`)) continue;
    let rest = '';
    const options = { encoding: 'utf8', highWaterMark: 1024 * 1024 } as const;
    for await (const piece of createReadStream(join(folder, name), options)) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line) as Line;
    }
  }
}
