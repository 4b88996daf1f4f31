/**
 * Builds what `inlay-server` runs, into `packages/server/dist`: the server and the libraries that
 * every start needs, in one file, because reading hundreds takes longer than all else that a start
 * does. What only some need (PostgreSQL, Redis, a model) stays outside and is loaded when it is used.
 */
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeNotices } from './notices.mjs';

const here = (path) => fileURLToPath(new URL(`../packages/server/${path}`, import.meta.url));

// Parts of an earlier build have other names.
rmSync(here('dist/inlay-server'), { recursive: true, force: true });

const { metafile } = await build({
  entryPoints: { 'inlay-server': here('src/main.ts') },
  outdir: here('dist'),
  chunkNames: 'inlay-server/[name]-[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  conditions: ['source'],
  // Libraries in CommonJS, which are bundled as well, call `require` for modules of Node.
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module';\nconst require = createRequireOfBundle(import.meta.url);",
  },
  external: ['libsql', 'pg', '@redis/client', 'openai'],
  legalComments: 'inline',
  logLevel: 'warning',
  metafile: true,
});

writeNotices(here('notices/inlay-server.md'), Object.keys(metafile.inputs));
