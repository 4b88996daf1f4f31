/**
 * Checks the packed packages with publint and Are the Types Wrong, and their content. The checks ignore
 * only that the packages are ES modules.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const names = ['protocol', 'client', 'elements', 'react', 'node', 'server'];
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'inlay-packed-'));

interface Packed {
  readonly name: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}
let packed: readonly Packed[] = [];

beforeAll(() => {
  const workspaces = names.flatMap((name) => ['-w', `@inlay/${name}`]);
  const pack = ['pack', '--json', '--pack-destination', folder, ...workspaces];
  const output = execFileSync('npm', pack, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  packed = Object.values(JSON.parse(output.slice(output.search(/^[[{]/m))) as Packed[]);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

function tarballOf(name: string) {
  const { filename, files } = packed.find((each) => each.name === `@inlay/${name}`) as Packed;
  const data = readFileSync(join(folder, filename));
  return { data, paths: files.map(({ path }) => path) };
}

describe.each(names)('the packed package %s', (name) => {
  const directory = join(root, 'packages', name);

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
      // ES modules only: `require` from CommonJS gets the ES module, which Node 20.19 can load.
      if (problem.kind === 'CJSResolvesToESM') return false;
      // TypeScript's `node10` does not read `exports`, and no Node that can run this needs it.
      return !('resolutionKind' in problem && problem.resolutionKind === 'node10');
    });
    expect(unexpectedProblems).toEqual([]);
  });

  it('contains a README, the licence and the URL of the repository, but no tests', () => {
    const { paths } = tarballOf(name);
    const { homepage, repository, bugs, license } = JSON.parse(
      readFileSync(join(directory, 'package.json'), 'utf8'),
    );

    expect(paths).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'package.json']));
    expect({ homepage, repository, bugs, license }).toEqual({
      homepage: expect.stringContaining('https://'),
      repository: {
        type: 'git',
        url: expect.stringContaining('git+https://'),
        directory: `packages/${name}`,
      },
      bugs: expect.stringContaining('https://'),
      license: 'MIT',
    });
    expect(paths.filter((path) => /\.test\.|\.tsbuildinfo$/.test(path))).toEqual([]);
  });
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
