/**
 * Builds the browser files that the platform serves, into `packages/server/web`: `inlay.js`, the
 * chunks that it loads on demand, the hosted page, and the console.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { build } from 'vite';
import { styles } from '../packages/loader/src/lib/styles.ts';
import { browsers } from './build/browsers.mjs';
import { compileHint, inTwoChunks } from './build/chunks.mjs';
import { minifiedTwice } from './build/minified-twice.mjs';
import { minifyTemplates } from './build/minify-templates.mjs';
import { collectModules, writeNotices } from './build/notices.mjs';

const pathOf = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** All bundled modules. */
const modules = new Set();

const shared = {
  configFile: false,
  logLevel: 'warn',
  root: pathOf('packages'),
  // Relative URLs, because the path of the platform is unknown at build time.
  base: './',
  plugins: [minifyTemplates(), collectModules(modules)],
  resolve: { conditions: ['source', 'module', 'browser', 'production'] },
  define: { 'process.env.NODE_ENV': '"production"' },
};
const output = {
  outDir: pathOf('packages/server/web'),
  target: browsers,
  modulePreload: false,
  reportCompressedSize: false,
};
// Suppresses warnings about the time that plugins take.
const checks = { bundlerTimings: false };
const hashed = {
  chunkFileNames: 'assets/[name]-[hash].js',
  assetFileNames: 'assets/[name]-[hash][extname]',
};

// Separate builds, so that neither page loads code of the other one.
for (const [index, page] of ['hosted', 'console'].entries()) {
  await build({
    ...shared,
    build: {
      ...output,
      emptyOutDir: index === 0,
      rolldownOptions: {
        checks,
        input: { [page]: pathOf(`packages/${page}/index.html`) },
        output: { ...hashed, entryFileNames: 'assets/[name]-[hash].js' },
      },
    },
  });
}

const [launch] = await build({
  ...shared,
  build: {
    ...output,
    ...minifiedTwice(),
    emptyOutDir: false,
    lib: { entry: { launch: pathOf('packages/loader/src/lib/launch.ts') }, formats: ['es'] },
    rolldownOptions: {
      // Lets lazy-loaded chunks import shared modules from the chat's chunk.
      preserveEntrySignatures: 'allow-extension',
      checks,
      output: {
        ...hashed,
        entryFileNames: 'assets/[name]-[hash].js',
        minify: true,
        // Annotations are for bundlers.
        comments: { annotation: false },
        codeSplitting: inTwoChunks(/loader\/src\/lib\/launch\.ts$/),
        postBanner: compileHint,
      },
    },
  },
});

// Evaluated at build time, to keep the elements' table of design tokens out of `inlay.js`.
const bubbleCss = await transform(styles, { loader: 'css', minify: true });

// A separate build, so that no module of the chat gets into the script that every page loads.
await build({
  ...shared,
  define: {
    ...shared.define,
    launchFile: JSON.stringify(launch.output[0].fileName),
    clearanceFile: JSON.stringify(launch.output.find(({ name }) => name === 'keep-clear').fileName),
    bubbleStyles: JSON.stringify(bubbleCss.code.trim().replace(/([,:]) /g, '$1')),
  },
  build: {
    ...output,
    // These options were found by experiment to produce the smallest file.
    ...minifiedTwice({ hoist_vars: true, inline: 1, unsafe_arrows: true }),
    emptyOutDir: false,
    lib: {
      entry: pathOf('packages/loader/src/index.ts'),
      formats: ['iife'],
      name: 'inlayLoader',
      fileName: () => 'inlay.js',
    },
    rolldownOptions: { checks, output: { minify: true } },
  },
});

// The viewer of the API reference at `/meta/v1/docs`.
const viewer = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
const reference = pathOf('packages/server/web/api-reference');
mkdirSync(reference, { recursive: true });
for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
  // The link to the source map is removed, because the platform does not serve the source map.
  const text = readFileSync(join(viewer, name), 'utf8');
  writeFileSync(join(reference, name), text.replace(/\n(?:\/\/#|\/\*#) sourceMappingURL=.*/, '\n'));
  modules.add(join(viewer, name));
}

writeNotices(pathOf('packages/server/notices/web.md'), modules);
