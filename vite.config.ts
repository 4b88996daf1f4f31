import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Two things in one place: the build of the files that the platform serves to browsers (`inlay.js`,
 * what it loads when it is wanted, and the hosted page), and the projects of the unit tests.
 */
export default defineConfig({
  resolve: { conditions: ['source', 'module', 'browser', 'production'] },
  root: here('packages'),
  base: './',
  build: {
    outDir: here('packages/server/web'),
    emptyOutDir: true,
    target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
    // `inlay.js` is a classic script, and a page may ask for it from any origin: no preload helper.
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        hosted: here('packages/hosted/index.html'),
        inlay: here('packages/loader/src/index.ts'),
      },
      output: {
        entryFileNames: (chunk) =>
          chunk.name === 'inlay' ? 'inlay.js' : 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        // A classic script shares its names with the page, unless it is wrapped.
        banner: (chunk) => (chunk.name === 'inlay' ? '(()=>{' : ''),
        footer: (chunk) => (chunk.name === 'inlay' ? '})()' : ''),
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
  test: {
    maxWorkers: 2,
    projects: [
      {
        root: here('.'),
        test: { name: 'boundaries', include: ['packages/*.test.ts'] },
      },
      ...[
        'packages/protocol',
        'packages/client',
        'packages/react',
        'packages/node',
        'packages/server',
        'e2e',
      ].map((folder) => ({
        root: here(folder),
        // Packages run from source: nothing is built before a test.
        resolve: { conditions: ['source'] },
        ssr: { resolve: { conditions: ['source', 'node'] } },
        test: {
          name: folder.split('/').at(-1) ?? folder,
          environment: 'node' as const,
          include: ['src/**/*.test.ts', 'src/**/*.node.test.tsx', 'replay/**/*.test.ts'],
        },
      })),
    ],
  },
});
