/**
 * Builds `inlay-server` into `packages/server/dist`: the server is bundled with its libraries into a few
 * files, because reading hundreds of files dominates the start time. Not bundled are libsql, which has
 * native code, and optional libraries (PostgreSQL, Redis, YAML), which are loaded on demand.
 */
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeNotices } from './notices.mjs';

const pathOf = (path) => fileURLToPath(new URL(`../packages/server/${path}`, import.meta.url));

// Chunk names contain hashes, so chunks of an earlier build would remain.
rmSync(pathOf('dist/inlay-server'), { recursive: true, force: true });

const { metafile } = await build({
  entryPoints: { 'inlay-server': pathOf('src/main.ts') },
  outdir: pathOf('dist'),
  chunkNames: 'inlay-server/[name]-[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  conditions: ['source'],
  // Bundled CommonJS libraries call `require` for Node's built-in modules.
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module';\nconst require = createRequireOfBundle(import.meta.url);",
  },
  external: ['libsql', 'pg', '@redis/client', 'yaml'],
  legalComments: 'inline',
  logLevel: 'warning',
  metafile: true,
});

writeNotices(pathOf('notices/inlay-server.md'), Object.keys(metafile.inputs));
