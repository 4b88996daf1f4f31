import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { SlowestFirst } from './scripts/slowest-first.ts';
import { unitFiles } from './scripts/testing/selection.mjs';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The server's tests that run on PostgreSQL as well: where the engines, or their races, could differ. */
const onPostgres = [
  'agents/{agent-routes,publishable-keys}',
  'files/{file-routes,upload-limits}',
  'idempotency/idempotent',
  'limits/daily-quotas',
  'runs/{budgets,reservations}',
  'sessions/{data-rights,erasure,lost-responses,search-sessions,session-limits,session-list,session-routes}',
  'tokens/{anonymous,end-user,exchange,token}-routes',
];

/** The name of a project and its files, of those that `INLAY_TESTS` selects. */
const files = (name: string, include: readonly string[]) => {
  const selected = unitFiles(name, include);
  return {
    name,
    include: selected.include,
    exclude: [...configDefaults.exclude, ...selected.exclude],
  };
};

/**
 * Test files share two processes, because loading the packages from source takes longer than most of
 * the tests. Each file undoes what it changes in the process: timers, globals, spies.
 */
const shared = { isolate: false };

/** Searches everything that the server's tests wrote for every secret that was issued. */
const secretWatch = { setupFiles: ['src/lib/testing/secret-watch/watch-file.ts'] };

/** Builds the program that tests start as a server process. */
const buildServer = here('scripts/testing/build-server.mjs');

/** In milliseconds: long enough for a busy machine, short enough to end a test that hangs. */
const patience = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
};

/** The unit tests. `scripts/build-web.mjs` builds what browsers download. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        root: here('.'),
        test: { ...files('boundaries', ['packages/*.test.ts', 'scripts/**/*.test.ts']), ...shared },
      },
      {
        // The packages as `npm pack` makes them: everything has to be built first.
        root: here('e2e'),
        test: { ...files('packed', ['packed/*.test.ts']), ...patience },
      },
      {
        root: here('packages/server'),
        resolve: { conditions: ['source'] },
        ssr: { resolve: { conditions: ['source', 'node'] } },
        // Global setup files run in this environment, and load packages from source as well.
        environments: { __vitest__: { resolve: { conditions: ['source', 'node'] } } },
        test: {
          ...files(
            'server-on-postgres',
            onPostgres.map((name) => `src/lib/${name}.test.ts`),
          ),
          ...patience,
          ...shared,
          ...secretWatch,
          environment: 'node' as const,
          globalSetup: [buildServer, 'src/lib/testing/services/shared-postgres.ts'],
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
        // Packages are loaded from source, so that tests need no build.
        resolve: { conditions: ['source'] },
        ssr: { resolve: { conditions: ['source', 'node'] } },
        test: {
          ...files(folder.split('/').at(-1) ?? folder, [
            'src/**/*.test.ts',
            'src/lib/{server-rendering,typed-tags}.test.tsx',
            '{fault-proxy,faults,soak,fuzz}/**/*.test.ts',
          ]),
          environment: 'node' as const,
          ...patience,
          ...shared,
          ...(folder === 'packages/server' && {
            ...secretWatch,
            globalSetup: [buildServer, 'src/lib/testing/secret-watch/global-setup.ts'],
          }),
          ...(folder === 'e2e' && { globalSetup: [buildServer] }),
        },
      })),
    ],
  },
});
