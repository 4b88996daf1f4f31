import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
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
    platform: buildPlatform(),
  };
}

function buildPlatform(): string {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build-server.mjs'], {
    cwd: root,
    encoding: 'utf8',
  });
  const entry = join(root, 'packages/server/dist/inlay-server.js');
  if (status === 0 && existsSync(entry)) return entry;
  throw new Error(`The server does not build (node scripts/build-server.mjs):\n${stderr}`);
}
