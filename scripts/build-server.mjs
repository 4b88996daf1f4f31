/**
 * Builds `inlay-server` into `packages/server/dist`: the server is bundled with its libraries, and all
 * modules that the start needs are in one file, because reading and linking many files dominates the
 * start time. Not bundled are libsql, which has native code, and optional libraries (PostgreSQL, Redis,
 * YAML), which are loaded on demand.
 */
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { collectModules, writeNotices } from './notices.mjs';

const pathOf = (path) => fileURLToPath(new URL(`../packages/server/${path}`, import.meta.url));
const entry = pathOf('src/main.ts');
const modules = new Set();

// Chunk names contain hashes, so chunks of an earlier build would remain.
rmSync(pathOf('dist/inlay-server'), { recursive: true, force: true });

await build({
  configFile: false,
  logLevel: 'warn',
  root: pathOf('.'),
  publicDir: false,
  plugins: [collectModules(modules)],
  ssr: {
    noExternal: true,
    external: ['libsql', 'pg', '@redis/client', 'yaml'],
    resolve: { conditions: ['source', 'node'] },
  },
  build: {
    ssr: true,
    outDir: pathOf('dist'),
    emptyOutDir: false,
    minify: false,
    target: 'node20.19',
    rolldownOptions: {
      // Modules of several chunks have a chunk of their own, whether the imports are dynamic or static.
      checks: { bundlerTimings: false, ineffectiveDynamicImport: false },
      input: { 'inlay-server': entry },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'inlay-server/[name]-[hash].js',
        codeSplitting: {
          // The entry finds `package.json` by its own path, so it stays a file of its own.
          groups: [{ name: 'start', tags: ['$initial'], test: (id) => id !== entry }],
        },
      },
    },
  },
});

writeNotices(pathOf('notices/inlay-server.md'), modules);
