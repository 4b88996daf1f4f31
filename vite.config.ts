import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The projects of the unit tests. What browsers download is built by `scripts/build-web.mjs`. */
export default defineConfig({
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
        'demo',
        'bench',
        'e2e',
      ].map((folder) => ({
        root: here(folder),
        // Packages run from source: nothing is built before a test.
        resolve: { conditions: ['source'] },
        ssr: { resolve: { conditions: ['source', 'node'] } },
        test: {
          name: folder.split('/').at(-1) ?? folder,
          environment: 'node' as const,
          include: [
            'src/**/*.test.ts',
            'src/lib/server-rendering.test.tsx',
            '{replay,fault-proxy,faults,soak,fuzz}/**/*.test.ts',
          ],
        },
      })),
    ],
  },
});
