/**
 * Builds the program `inlay-server` and the module `@inlay/server` into `packages/server/dist`. They are
 * bundled with their libraries, so that an installation is small, and all modules that the start needs are
 * in one file, because reading and linking many files dominates the start time. Not bundled are libsql,
 * which has native code, and the API of OpenTelemetry, whose copy must be that of the operator's SDK.
 */
import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { collectModules, writeNotices } from './build/notices.mjs';

const pathOf = (path) => fileURLToPath(new URL(`../packages/server/${path}`, import.meta.url));
const program = pathOf('src/main.ts');
const entries = { 'inlay-server': program, 'inlay-server/index': pathOf('src/index.ts') };
const modules = new Set();

/** Whether a module that an entry imports is loaded whatever the settings are. */
const isNeededAtStart = (id) =>
  !Object.values(entries).includes(id) && !/postgres|redis|node_modules\/pg/.test(id);

// Chunk names contain hashes, so chunks of an earlier build would remain.
rmSync(pathOf('dist/inlay-server'), { recursive: true, force: true });

/** Bundles entries, with chunks in `dist/inlay-server`. */
const bundle = (input, output) =>
  build({
    configFile: false,
    logLevel: 'warn',
    root: pathOf('.'),
    publicDir: false,
    plugins: [collectModules(modules)],
    ssr: {
      noExternal: true,
      external: ['libsql'],
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
        input,
        // The copy of prom-client is bundled, because that module fails without one.
        external: (id, importer) =>
          id === '@opentelemetry/api' && !importer?.includes('node_modules'),
        output: { chunkFileNames: 'inlay-server/[name]-[hash].js', ...output },
      },
    },
  });

await bundle(entries, {
  entryFileNames: '[name].js',
  codeSplitting: {
    // The program finds `package.json` by its own path, so it stays a file of its own.
    groups: [{ name: 'start', tags: ['$initial'], test: isNeededAtStart }],
  },
});

// Built apart, because a process of its own runs it, which needs no chunk of the server.
await bundle(
  { 'inlay-server/pdf-reader': pathOf('src/lib/files/pdf-reader.mjs') },
  { entryFileNames: '[name].mjs' },
);
cpSync(
  new URL('./cmaps/', import.meta.resolve('pdfjs-dist/package.json')),
  pathOf('dist/inlay-server/cmaps'),
  { recursive: true },
);

writeNotices(pathOf('notices/inlay-server.md'), modules);
