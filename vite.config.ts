import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/longest-first.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What the server's tests run on PostgreSQL as well: where the engines, or their races, could differ. */
const onPostgres = [
  'agents/{agent-routes,publishable-keys}',
  'files/{file-routes,upload-limits}',
  'idempotency/idempotent',
  'limits/daily-allowance',
  'runs/{budgets,reservations}',
  'sessions/{forgetting,lost-answers,rights,search-sessions,session-limits,session-routes,threads}',
  'tokens/{anonymous,end-user,exchange,token}-routes',
];

/**
 * The server's many files run in two processes: to load the server for each takes longer than most
 * of them. What needs an end after each file is in a setup file, or in the file itself.
 */
const inOneProcess = {
  isolate: false,
  setupFiles: ['src/lib/testing/secret-watch/watch-file.ts'],
};

/** In milliseconds: a test that hangs is ended, one on a machine that is busy with others is not. */
const patience = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
};

/** The projects of the unit tests. What browsers download is built by `scripts/build-web.mjs`. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        root: here('.'),
        test: { name: 'boundaries', include: ['packages/*.test.ts'] },
      },
      {
        // What `npm pack` makes of a build: everything has to be built before.
        root: here('e2e'),
        test: { name: 'packed', include: ['packed/*.test.ts'], ...patience },
      },
      {
        root: here('packages/server'),
        resolve: { conditions: ['source'] },
        ssr: { resolve: { conditions: ['source', 'node'] } },
        // Where vitest runs what stands before all tests: from source as well.
        environments: { __vitest__: { resolve: { conditions: ['source', 'node'] } } },
        test: {
          name: 'server-on-postgres',
          ...patience,
          ...inOneProcess,
          environment: 'node' as const,
          include: onPostgres.map((name) => `src/lib/${name}.test.ts`),
          globalSetup: 'src/lib/testing/services/postgres-for-run.ts',
        },
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
          ...patience,
          // Its files are many and small, and a thread begins sooner than a process.
          ...(folder === 'packages/client' && { pool: 'threads' as const }),
          // Looks, at the end, for every secret that was issued in everything that was written.
          ...(folder === 'packages/server' && {
            ...inOneProcess,
            globalSetup: ['src/lib/testing/secret-watch/global-setup.ts'],
          }),
          include: [
            'src/**/*.test.ts',
            'src/lib/{server-rendering,typed-tags}.test.tsx',
            '{replay,fault-proxy,faults,soak,fuzz}/**/*.test.ts',
          ],
        },
      })),
    ],
  },
});
