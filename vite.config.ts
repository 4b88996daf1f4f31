import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { SlowestFirst } from './scripts/slowest-first.ts';
import { unitFiles } from './scripts/testing/selection.mjs';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Server tests that also run on PostgreSQL, because the database engines may behave differently. */
const onPostgres = [
  'agents/{agent-routes,publishable-keys}',
  'automation/{actions,orchestrations}',
  'openai-api/{background-responses,conversations,files,responses,videos}',
  'openai-api/vector-stores/{search-vector-store,vector-store-files,vector-stores}',
  'databases/databases',
  'files/{blob-deletions,file-routes,unsent-files,upload-limits,visitor-uploads}',
  'idempotency/idempotent',
  'limits/{daily-quotas,network-shares,user-spend,visitor-quotas}',
  'media/libraries',
  'model-api/{budget-exits,model-budgets,model-reservations}',
  'runs/{budgets,clock-set-back,provider-messages,reservations,run-queue}',
  'sessions/{data-rights,erasure,lost-responses,search-sessions,session-limits,session-list,session-routes}',
  'tokens/blocklist',
  'tokens/{anonymous,end-user,exchange,token}-routes',
];

/**
 * Returns the options that every project has: its name, the test files that `INLAY_TESTS` selects, and
 * timeouts in milliseconds, which are long enough for a busy machine and short enough to end a test
 * that hangs.
 */
const project = (name: string, include: readonly string[]) => {
  const selected = unitFiles(name, include);
  return {
    name,
    include: selected.include,
    exclude: [...configDefaults.exclude, ...selected.exclude],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  };
};

/**
 * Test files share two processes, because loading the packages from source takes longer than most of
 * the tests. Each file restores what it changes in the process: timers, globals, spies.
 */
const shared = { isolate: false };

/** Searches everything that the server's tests write for every secret that they issue. */
const secretWatch = { setupFiles: ['src/lib/testing/secret-watch/setup-file.ts'] };

/** Builds the program that tests start as a server process. */
const buildServer = here('scripts/testing/build-server.mjs');

/** The unit tests. `scripts/build-web.mjs` builds what browsers download. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        root: here('.'),
        test: {
          ...project('boundaries', ['packages/*.test.ts', 'scripts/**/*.test.ts']),
          ...shared,
        },
      },
      {
        // Tests of the packed packages, which must be built first.
        root: here('e2e'),
        test: project('packed', ['packed/*.test.ts']),
      },
      {
        // Tests of the HTTP interface, as the service reference describes it.
        root: here('e2e'),
        resolve: { conditions: ['source'] },
        ssr: { resolve: { conditions: ['source', 'node'] } },
        test: { ...project('conformance', ['conformance/*.test.ts']), ...shared },
      },
      {
        root: here('packages/server'),
        resolve: { conditions: ['source'] },
        ssr: { resolve: { conditions: ['source', 'node'] } },
        // Global setup files run in this environment, and load packages from source as well.
        environments: { __vitest__: { resolve: { conditions: ['source', 'node'] } } },
        test: {
          ...project(
            'server-on-postgres',
            onPostgres.map((name) => `src/lib/${name}.test.ts`),
          ),
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
        'docs',
      ].map((folder) => ({
        root: here(folder),
        // Packages are loaded from source, so that tests need no build.
        resolve: { conditions: ['source'] },
        ssr: { resolve: { conditions: ['source', 'node'] } },
        test: {
          ...project(folder.split('/').at(-1) ?? folder, [
            'src/**/*.test.ts',
            'src/lib/{server-rendering,typed-tags}.test.tsx',
            '{backends,fault-proxy,faults,replay,soak,fuzz}/**/*.test.ts',
            '{playground,scripts}/*.test.ts',
          ]),
          environment: 'node' as const,
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
