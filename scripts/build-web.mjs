/**
 * Builds what the platform serves to browsers, into `packages/server/web`: `inlay.js` with what it
 * loads when the chat is wanted, and the hosted page.
 */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { browsers } from './browsers.mjs';
import { compileHint, inTwoChunks } from './chunks.mjs';
import { minifyAgain } from './minify-again.mjs';
import { minifyTemplates } from './minify-templates.mjs';
import { collectModules, writeNotices } from './notices.mjs';
import { plainProperties } from './plain-properties.mjs';
import { workOut } from './work-out.mjs';

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Every module of the files that are built. */
const modules = new Set();

const shared = {
  configFile: false,
  logLevel: 'warn',
  root: here('packages'),
  // Relative addresses: nobody knows yet under which path the platform will be served.
  base: './',
  plugins: [minifyTemplates(), plainProperties(), collectModules(modules)],
  resolve: { conditions: ['source', 'module', 'browser', 'production'] },
  define: { 'process.env.NODE_ENV': '"production"' },
};
const output = {
  outDir: here('packages/server/web'),
  target: browsers,
  modulePreload: false,
  reportCompressedSize: false,
};
// Without advice about the second or two that the plugins take: it says nothing to whoever builds.
const checks = { bundlerTimings: false };
const hashed = {
  chunkFileNames: 'assets/[name]-[hash].js',
  assetFileNames: 'assets/[name]-[hash][extname]',
};

await build({
  ...shared,
  build: {
    ...output,
    emptyOutDir: true,
    rolldownOptions: {
      checks,
      input: { hosted: here('packages/hosted/index.html') },
      output: { ...hashed, entryFileNames: 'assets/[name]-[hash].js' },
    },
  },
});

const [launch] = await build({
  ...shared,
  // It takes a second, and is worth it only here: this is what every page waits for.
  plugins: [...shared.plugins, minifyAgain()],
  build: {
    ...output,
    emptyOutDir: false,
    lib: { entry: { launch: here('packages/loader/src/lib/launch.ts') }, formats: ['es'] },
    rolldownOptions: {
      // What is loaded on demand shares much with the chat, and takes it from there.
      preserveEntrySignatures: 'allow-extension',
      checks,
      output: {
        ...hashed,
        entryFileNames: 'assets/[name]-[hash].js',
        minify: true,
        codeSplitting: inTwoChunks(/loader\/src\/lib\/launch\.ts$/),
        postBanner: compileHint,
      },
    },
  },
});

// A file of its own, so that nothing of the chat can slip into what every page loads.
await build({
  ...shared,
  plugins: [workOut('/loader/src/lib/styles.ts'), ...shared.plugins, minifyAgain()],
  define: { ...shared.define, launchFile: JSON.stringify(launch.output[0].fileName) },
  build: {
    ...output,
    emptyOutDir: false,
    lib: {
      entry: here('packages/loader/src/index.ts'),
      formats: ['iife'],
      name: 'inlayLoader',
      fileName: () => 'inlay.js',
    },
    rolldownOptions: { checks, output: { minify: true } },
  },
});

writeNotices(here('packages/server/notices/web.md'), modules);
