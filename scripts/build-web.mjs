/**
 * Builds what the platform serves to browsers, into `packages/server/web`: `inlay.js` with what it
 * loads when the chat is wanted, and the hosted page.
 */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const shared = {
  configFile: false,
  logLevel: 'warn',
  root: here('packages'),
  // Relative addresses: nobody knows yet under which path the platform will be served.
  base: './',
  resolve: { conditions: ['source', 'module', 'browser', 'production'] },
  define: { 'process.env.NODE_ENV': '"production"' },
};
const output = {
  outDir: here('packages/server/web'),
  target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
  modulePreload: false,
  reportCompressedSize: false,
};
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
      input: { hosted: here('packages/hosted/index.html') },
      output: { ...hashed, entryFileNames: 'assets/[name]-[hash].js' },
    },
  },
});

// As a library, because an application's entry imports a helper, and a classic script can't import.
await build({
  ...shared,
  build: {
    ...output,
    emptyOutDir: false,
    minify: true,
    lib: { entry: { inlay: here('packages/loader/src/index.ts') }, formats: ['es'] },
    rolldownOptions: {
      output: {
        ...hashed,
        entryFileNames: '[name].js',
        minify: true,
        // A classic script shares its names with the page, unless it is wrapped.
        banner: (chunk) => (chunk.isEntry ? '(()=>{' : ''),
        footer: (chunk) => (chunk.isEntry ? '})()' : ''),
      },
    },
  },
});
