/**
 * Rules for imports between modules, checked by `npm run check`. Packages are
 * resolved to their sources, by the `source` condition of their exports.
 */

/** The other packages that each package may import. */
const arrows = {
  protocol: [],
  client: ['protocol'],
  elements: ['client', 'protocol'],
  loader: ['elements', 'client'],
  react: ['elements', 'client'],
  hosted: ['elements', 'client'],
  console: ['elements', 'client', 'protocol'],
  node: ['protocol'],
  server: ['protocol'],
};

/** The entries of the protocol package that need no zod, such as `@inlay/protocol/text-of`. */
const protocolEntries =
  '^packages/protocol/src/lib/(branches|card-answer|check-card|citation-marks|input-hash|nearest-name|read-event|shape|text-of|to-json)\\.ts$';

/** Packages that run in a browser. They may use neither Node nor the full zod. */
const browser = '^packages/(protocol|client|elements|loader|react|hosted|console)/src/';

/** Folders of the server that most installations of a chat never use, loaded on first use. */
const optional = '^packages/server/src/lib/(openai-api|automation|databases|media|registries)/';
const optionalEntry = '^packages/server/src/lib/optional-services\\.ts$';

/** Modules that only tests use. The scripted platform of `@inlay/client/testing` is published. */
const testCode = '/lib/(testing|random-programs)/|/src/testing\\.ts$';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'No module imports itself, not even with `import()`.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'Every import leads to a module, through an export of its package.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    ...Object.entries(arrows).map(([name, allowed]) => ({
      name: `arrows-of-${name}`,
      comment: `${name} imports ${allowed.join(' and ') || 'no other package'}.`,
      severity: 'error',
      from: { path: `^packages/${name}/src/`, pathNot: testCode },
      to: { path: '^(packages|demo)/', pathNot: `^packages/(${[name, ...allowed].join('|')})/` },
    })),
    {
      name: 'public-entries',
      comment: 'A package is imported through the entries of its package.json.',
      severity: 'error',
      from: { path: '^(?:packages/)?([^/]+)/' },
      to: { path: '^packages/[^/]+/src/lib/', pathNot: ['^packages/$1/', protocolEntries] },
    },
    {
      name: 'no-relative-import-between-packages',
      severity: 'error',
      from: { path: '^(?:packages/)?([^/]+)/' },
      to: { path: '^packages/', pathNot: '^packages/$1/', dependencyTypes: ['local'] },
    },
    {
      name: 'declared',
      comment: 'A package lists what it imports in its package.json.',
      severity: 'error',
      from: { path: '^(packages|demo)/', pathNot: testCode },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['npm-peer'] },
    },
    {
      name: 'declared-for-users',
      comment: 'Users install what a package imports, except for the server, which bundles it.',
      severity: 'error',
      from: { path: '^(packages|demo)/', pathNot: [testCode, '^packages/server/'] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm-peer'] },
    },
    {
      name: 'no-test-code-in-product',
      severity: 'error',
      from: { path: '^packages/', pathNot: testCode },
      to: { path: testCode },
    },
    {
      name: 'test-platform-runs-anywhere',
      comment: 'The scripted platform runs in browsers and Node, under every test framework.',
      severity: 'error',
      from: {
        path: '^packages/client/src/(testing\\.ts$|lib/testing/)',
        pathNot: '/testing/([\\w-]+-setup|diagnosis-site|platform-server|fake-transport)\\.ts$',
      },
      to: { path: 'node_modules', pathNot: 'node_modules/(zod|@microsoft)/' },
    },
    {
      name: 'no-lit-outside-elements',
      severity: 'error',
      from: { path: '^packages/(protocol|client|node|server)/' },
      to: { path: 'node_modules/(lit|@lit)' },
    },
    {
      name: 'no-node-in-browsers',
      severity: 'error',
      from: { path: browser, pathNot: testCode },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'optional-services-have-one-entry',
      comment: 'The optional services could become a package without a change of other folders.',
      severity: 'error',
      from: { path: '^packages/server/src/', pathNot: [optional, optionalEntry] },
      to: { path: optional },
    },
    {
      name: 'optional-services-are-loaded-on-first-use',
      severity: 'error',
      from: { path: '^packages/server/src/' },
      to: { path: optionalEntry, dependencyTypesNot: ['dynamic-import'] },
    },
    {
      name: 'no-full-zod-in-browsers',
      comment: 'zod/mini is a tenth of its size.',
      severity: 'error',
      from: { path: browser, pathNot: testCode },
      to: { path: 'node_modules/zod/', pathNot: 'node_modules/zod/(v4/)?mini/' },
    },
  ],
  options: {
    exclude: { path: '\\.test\\.tsx?$|/dist/|/packages/server/web/' },
    doNotFollow: { path: 'node_modules' },
    // TypeScript 7 offers no parser to tools, and swc reads the same language.
    parser: 'swc',
    enhancedResolveOptions: {
      conditionNames: ['source', 'import', 'module', 'node', 'default'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.mjs', '.js'],
    },
  },
};
