import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { temporaryFolder } from '../lib/temporary-folder.ts';

const resolvePath = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const root = resolvePath('../../..');

/** Entry files of the measured processes. They are compiled, so that no loader affects the measurement. */
export interface Entries {
  probe: string;
  baseline: string;
  /** The platform, as in the published package. */
  platform: string;
}

let built: Promise<Entries> | undefined;

/** Builds the entry files once per run. */
export function buildEntries(): Promise<Entries> {
  built ??= buildAll();
  return built;
}

async function buildAll(): Promise<Entries> {
  const folder = temporaryFolder('entries');
  await build({
    configFile: false,
    logLevel: 'warn',
    root: resolvePath('entries'),
    resolve: { conditions: ['source'] },
    ssr: { noExternal: true, resolve: { conditions: ['source', 'node'] } },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      minify: false,
      rolldownOptions: {
        input: {
          probe: resolvePath('entries/probe.ts'),
          baseline: resolvePath('entries/baseline.ts'),
        },
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
      },
    },
  });
  return {
    probe: join(folder, 'probe.mjs'),
    baseline: join(folder, 'baseline.mjs'),
    platform: buildPlatform(join(folder, 'platform')),
  };
}

/**
 * Builds the platform, and copies it to a folder with its only dependency, because it would load optional ones
 * that the repository has for its tests.
 */
function buildPlatform(folder: string): string {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build-server.mjs'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) {
    throw new Error(`The server does not build (node scripts/build-server.mjs):\n${stderr}`);
  }
  for (const name of ['package.json', 'dist/inlay-server.js', 'dist/inlay-server']) {
    cpSync(join(root, 'packages/server', name), join(folder, name), { recursive: true });
  }
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(root, 'node_modules/libsql'), join(folder, 'node_modules/libsql'));
  return join(folder, 'dist/inlay-server.js');
}
