import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Builds the program that tests start as a server process. */
const buildServer = here('scripts/testing/build-server.mjs');

/** Searches everything that the server's tests write for every secret that they issue. */
const secretWatch = { setupFiles: ['src/lib/testing/secret-watch/setup-file.ts'] };

/** Files that Vitest does not run: builds, and tests for Web Test Runner. `npm test` leaves out slow tests. */
const excluded = [
  ...configDefaults.exclude,
  '**/dist/**',
  '**/*.browser.test.tsx',
  ...(process.env.INLAY_SLOW_TESTS === 'no' ? ['**/*.slow.test.ts'] : []),
];

/**
 * Returns a project with all tests of a folder. The name of the project is that of the folder, and
 * `options` replaces defaults.
 */
function project(
  folder: string,
  options: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration {
  return {
    root: here(folder),
    // Packages are loaded from source, so that tests need no build.
    resolve: { conditions: ['source'] },
    ssr: { resolve: { conditions: ['source', 'node'] } },
    // Global setup files run in this environment, and load packages from source as well.
    environments: { __vitest__: { resolve: { conditions: ['source', 'node'] } } },
    test: {
      name: folder.split('/').at(-1) ?? folder,
      include: ['**/*.test.{ts,tsx}'],
      environment: 'node',
      // Test files share two processes, because loading the packages from source takes longer than most
      // of the tests. Each file restores what it changes in the process: timers, globals, spies.
      isolate: false,
      // Milliseconds: long enough for a busy machine, short enough to end a test that hangs.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 60_000 } },
      ...options,
      exclude: [...excluded, ...(options.exclude ?? [])],
    },
  };
}

/**
 * The tests that run in Node. The suffix of a file selects the command that runs it: `*.slow.test.ts` are
 * the tests of `npm run test:all`, all others those of `npm test`. `*.databases.test.ts` run in `npm test`
 * with SQLite, and in `npm run test:all` with PostgreSQL.
 */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      ...[
        'packages/protocol',
        'packages/client',
        'packages/react',
        'packages/node',
        'packages/console',
        'packages/create-inlay',
      ].map((folder) => project(folder)),
      project('packages/server', {
        ...secretWatch,
        globalSetup: [buildServer, 'src/lib/testing/secret-watch/global-setup.ts'],
      }),
      project('packages/server', {
        ...secretWatch,
        name: 'server-on-postgres',
        include: ['**/*.databases.test.ts'],
        globalSetup: [buildServer, 'src/lib/testing/services/shared-postgres.ts'],
      }),
      project('e2e', {
        globalSetup: [buildServer],
        exclude: ['conformance/**', 'packed/**'],
      }),
      // The HTTP interface, by the rules of docs/conformance.md.
      project('e2e/conformance'),
      {
        // The packed packages, which must be built first.
        ...project('e2e/packed', { isolate: true }),
        resolve: {},
        ssr: {},
      },
      ...['demo', 'bench', 'docs', 'scripts'].map((folder) => project(folder)),
    ],
  },
});
