/**
 * Checks the packed packages with publint and Are the Types Wrong, and checks their content. The only
 * ignored findings are that the packages contain ES modules alone, and have no `main` for old resolvers.
 */
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

const names = ['protocol', 'client', 'elements', 'react', 'node', 'server'];
const workspaces = [...names.map((name) => `@inlay/${name}`), 'create-inlay'].flatMap((name) => [
  '-w',
  name,
]);
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'inlay-packed-'));

interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}
let packed: readonly Packed[] = [];

beforeAll(() => {
  const pack = ['pack', '--json', '--pack-destination', folder, ...workspaces];
  const output = execFileSync('npm', pack, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  packed = Object.values(JSON.parse(output.slice(output.search(/^[[{]/m))) as Packed[]);
});
afterAll(() => rmSync(folder, { recursive: true }));

const readManifest = (name: string) =>
  JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'));

const publicPackages = () =>
  readdirSync(join(root, 'packages'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => readManifest(name))
    .filter((manifest) => !manifest.private);

function tarballOf(name: string) {
  const { filename, files } = packed.find((each) => each.name === `@inlay/${name}`) as Packed;
  const data = readFileSync(join(folder, filename));
  return { data, paths: files.map(({ path }) => path) };
}

describe.each(names)('the packed package %s', (name) => {
  it('passes publint', async () => {
    const { data } = tarballOf(name);
    const tarball = new Uint8Array(data).buffer;

    const { messages, pkg } = await publint({ pack: { tarball }, strict: true });

    expect(pkg.name).toBe(`@inlay/${name}`);
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  it('passes Are the Types Wrong', async () => {
    const { data } = tarballOf(name);

    const result = await checkPackage(createPackageFromTarballData(new Uint8Array(data)));

    if (!result.types) throw new Error('The package has no types.');
    const unexpectedProblems = result.problems.filter((problem) => {
      // `require()` in a CommonJS module gets an ES module, which Node can load since 20.19.
      if (problem.kind === 'CJSResolvesToESM') return false;
      // TypeScript's `node10` resolution ignores `exports`, which every supported Node version reads.
      return !('resolutionKind' in problem && problem.resolutionKind === 'node10');
    });
    expect(unexpectedProblems).toEqual([]);
  });

  it('contains a README and the licence, but no tests', () => {
    const { paths } = tarballOf(name);

    expect(paths).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'package.json']));
    expect(readManifest(name).license).toBe('MIT');
    expect(paths.filter((path) => /\.test\.|\.tsbuildinfo$/.test(path))).toEqual([]);
  });
});

it('a release fills the URL of its repository into every public package and the chart', () => {
  const copy = mkdtempSync(join(tmpdir(), 'inlay-release-'));
  cpSync(join(root, 'deploy/chart'), join(copy, 'deploy/chart'), { recursive: true });
  onTestFinished(() => rmSync(copy, { recursive: true }));
  for (const name of readdirSync(join(root, 'packages'))) {
    const path = `packages/${name}/package.json`;
    cpSync(join(root, path), join(copy, path));
  }
  const homepage = 'https://github.com/Someone/inlay';

  const script = join(root, 'scripts/fill-repository.mjs');
  const env = { ...process.env, REPOSITORY_URL: homepage };
  // A second run, after a release that failed, changes nothing.
  for (let run = 0; run < 2; run++) execFileSync(process.execPath, [script], { cwd: copy, env });

  const chart = readFileSync(join(copy, 'deploy/chart/Chart.yaml'), 'utf8');
  expect(chart.split(`home: ${homepage}\nsources:\n  - ${homepage}\n`)).toHaveLength(2);
  const values = readFileSync(join(copy, 'deploy/chart/values.yaml'), 'utf8');
  const { version } = readManifest('server');
  // Names of images are in lower case.
  expect(values).toContain(`repository: 'ghcr.io/someone/inlay'\n  tag: '${version}'\n`);
  for (const { name } of publicPackages()) {
    const directory = `packages/${name.replace('@inlay/', '')}`;
    const pack = [
      'pack',
      '--json',
      '--ignore-scripts',
      '--pack-destination',
      copy,
      `./${directory}`,
    ];
    const [{ filename }] = Object.values<Packed>(
      JSON.parse(execFileSync('npm', pack, { cwd: copy, encoding: 'utf8', stdio: 'pipe' })),
    ) as [Packed];
    const extract = ['-xOf', join(copy, filename), 'package/package.json'];
    expect(JSON.parse(execFileSync('tar', extract, { encoding: 'utf8' }))).toMatchObject({
      name,
      homepage,
      repository: { type: 'git', url: `git+${homepage}.git`, directory },
      bugs: `${homepage}/issues`,
    });
  }
});

it('npm publish --dry-run publishes every public package with provenance, and corrects no package.json', async () => {
  // A registry without packages, as before the first release.
  const registry = createServer((_request, response) => {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}');
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  onTestFinished(() => void registry.close());
  const { port } = registry.address() as AddressInfo;
  const options = ['--dry-run', '--ignore-scripts', `--registry=http://127.0.0.1:${port}/`];

  const publish = ['publish', ...options, '--loglevel=warn', ...workspaces];
  const { stdout, stderr } = await promisify(execFile)('npm', publish, { cwd: root });

  const published = publicPackages().map(({ name, version }) => `+ ${name}@${version}`);
  expect(stdout.trim().split('\n').sort()).toEqual(published.sort());
  // npm only warns when it corrects a mistake in a package.json.
  const warnings = stderr.split('\n').filter((line) => line.startsWith('npm warn publish'));
  expect(warnings.filter((line) => !line.includes('requires you to be logged in'))).toEqual([]);
  for (const { publishConfig } of publicPackages()) {
    expect(publishConfig).toEqual({ access: 'public', provenance: true });
  }
});

it('the server package contains the licences of its bundled dependencies', () => {
  const { paths } = tarballOf('server');
  const notices = (file: string) =>
    readFileSync(join(root, 'packages/server/notices', file), 'utf8');

  expect(paths).toEqual(
    expect.arrayContaining(['notices/inlay-server.md', 'notices/web.md', 'web/inlay.js']),
  );
  expect(notices('inlay-server.md')).toMatch(/^## hono \d[\s\S]*MIT License[\s\S]*^## kysely \d/m);
  expect(notices('web.md')).toMatch(/^## lit-html \d[\s\S]*BSD-3-Clause[\s\S]*^## temml \d/m);
});
