/**
 * Selects the tests of each command: `npm test` runs the selection `main`, `npm run test:all` runs the
 * `rest`. The commands set `INLAY_TESTS`; without it, a test runner includes every test
 * (`npx vitest run --project server`).
 */

/** @typedef {'main' | 'rest' | 'every'} Selection */

/**
 * @returns {Selection}
 * @throws {Error} For a value of `INLAY_TESTS` that is neither `main` nor `rest`.
 */
export function selection(value = process.env.INLAY_TESTS) {
  if (value === undefined || value === '') return 'every';
  if (value === 'main' || value === 'rest') return value;
  throw new Error(`INLAY_TESTS is “${value}”. It can be main or rest.`);
}

/**
 * Vitest projects that belong to the rest completely: they need PostgreSQL or packed packages, or test
 * the whole interface.
 *
 * @type {readonly string[]}
 */
const restProjects = ['server-on-postgres', 'packed', 'conformance'];

/**
 * Unit tests that belong to the rest, as patterns below the folder of their Vitest project: they start
 * PostgreSQL, Redis, nginx or several processes, or repeat one check thousands of times.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const restFiles = {
  boundaries: ['scripts/{deployment,guide-code,proxy-guide}.test.ts'],
  client: ['src/lib/disconnects/*.test.ts', 'src/lib/random-programs/random-programs.test.ts'],
  server: [
    'src/*.test.ts',
    'src/processes/*.test.ts',
    'src/lib/bus/redis-bus.test.ts',
    'src/lib/limits/{redis-limiter,shared-limits}.test.ts',
    'src/lib/store/{contract,postgres-store}.test.ts',
    'src/lib/testing/services/*.test.ts',
  ],
  bench: ['src/markdown/*.test.ts'],
  e2e: [
    'faults/{answers,diagnose,processes,proxies,reconnects,platform-equivalence,token-endpoint,token-ends}.test.ts',
    'backends/*.test.ts',
    'fuzz/**/*.test.ts',
  ],
};

/**
 * The files of a Vitest project that belong to a selection.
 *
 * @param {string} project Name of the project.
 * @param {readonly string[]} include Patterns of all its tests.
 * @returns {{ include: string[], exclude: string[] }} Options of the project. `exclude` is to be added
 *   to Vitest's defaults.
 */
export function unitFiles(project, include, selected = selection()) {
  const rest = restProjects.includes(project) ? include : (restFiles[project] ?? []);
  if (selected === 'main') return { include: [...include], exclude: [...rest] };
  return { include: [...(selected === 'rest' ? rest : include)], exclude: [] };
}

/** E2e stories that `npm test` runs: the most common user journeys. */
const mainStories = [
  'anonymous',
  'branches',
  'cards',
  'first-minute',
  'hosted',
  'pages',
  'revoke',
  'signed-in',
  'switch-user',
  'conversation-list',
  'tools',
].map((name) => `**/${name}.spec.ts`);

/**
 * Playwright options that select the stories.
 *
 * @returns {{ testMatch?: string[], testIgnore?: string[] }}
 */
export function stories(selected = selection()) {
  if (selected === 'main') return { testMatch: mainStories };
  return selected === 'rest' ? { testIgnore: mainStories } : {};
}

/**
 * Tests that need a real DOM: Web Test Runner runs them, all others run in Vitest.
 *
 * @type {readonly string[]}
 */
export const browserTests = [
  'packages/elements/src/**/*.test.ts',
  'packages/loader/src/**/*.test.ts',
  'packages/hosted/src/**/*.test.ts',
  'packages/react/src/**/*.browser.test.tsx',
];

/** Engines of the browser tests. The slowest come first, because two run concurrently. */
export const engineNames = /** @type {const} */ (['webkit', 'firefox', 'chromium']);

/** Engines of a selection: Chromium for `main`, the other engines for `rest`. */
export function enginesOf(selected = selection()) {
  if (selected === 'every') return [...engineNames];
  return engineNames.filter((name) => (name === 'chromium') === (selected === 'main'));
}
