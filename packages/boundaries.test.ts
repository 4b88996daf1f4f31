/**
 * The shape of the repository, kept true: which package may import which, no cycles, doors that
 * only re-export, and no platform where it does not belong. `ARCHITECTURE.md` says why.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** What each package may import of the others. */
const arrows: Record<string, readonly string[]> = {
  protocol: [],
  client: ['protocol'],
  elements: ['client', 'protocol'],
  loader: ['elements', 'client'],
  react: ['elements', 'client'],
  hosted: ['elements', 'client'],
  node: ['protocol'],
  server: ['protocol'],
  demo: ['elements', 'loader', 'react', 'hosted', 'client', 'node', 'protocol'],
};

const folderOf = (name: string) => (name === 'demo' ? 'demo' : `packages/${name}`);

function filesUnder(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/[\\/](dist|node_modules|web)[\\/]/.test(file));
}

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

function importsOf(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  return [...source.matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? '');
}

/** A file, and all that it imports of its own package. */
function closureOf(door: string, known = new Set<string>()): Set<string> {
  if (known.has(door)) return known;
  known.add(door);
  for (const specifier of importsOf(door).filter((each) => each.startsWith('.'))) {
    closureOf(resolve(dirname(door), specifier), known);
  }
  return known;
}

/** What is left of a door when its exports of other files are taken out. */
function withoutExports(door: string): string {
  return readFileSync(door, 'utf8')
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .replace(/^'use client';/, '')
    .replace(/export\s+(?:type\s+)?(?:\*|\{[^}]*\})(?:\s+as\s+\w+)?\s+from\s+'[^']+';/g, '')
    .trim();
}

const clientFolder = join(root, 'packages/client');
const testingDoor = join(clientFolder, 'src/testing.ts');
const offered = closureOf(testingDoor);

const testFolder = /[\\/]lib[\\/](?:testing|cuts|model)[\\/]/;

/** Tests and what only they use. What the client offers for the tests of others is product. */
const isTest = (file: string) =>
  /\.test\.tsx?$/.test(file) || (testFolder.test(file) && !offered.has(file));
const sources = Object.fromEntries(
  Object.keys(arrows).map((name) => [name, filesUnder(join(root, folderOf(name), 'src'))]),
);
const packageNames = Object.keys(arrows);
const show = (file: string) => relative(root, file);

describe('arrows', () => {
  it.each(packageNames)('%s imports only the packages that it may', (name) => {
    const wrong = (sources[name] ?? [])
      .filter((file) => !isTest(file))
      .flatMap((file) =>
        importsOf(file)
          .filter((specifier) => specifier.startsWith('@inlay/'))
          .filter((specifier) => {
            const target = specifier.split('/')[1] ?? '';
            return target !== name && !arrows[name]?.includes(target);
          })
          .map((specifier) => `${show(file)} imports ${specifier}`),
      );

    expect(wrong).toEqual([]);
  });

  it.each(packageNames)('%s declares what it imports', (name) => {
    const manifest = JSON.parse(
      readFileSync(join(root, folderOf(name), 'package.json'), 'utf8'),
    ) as Record<string, Record<string, string> | undefined>;
    const declared = { ...manifest.dependencies, ...manifest.peerDependencies };
    const missing = (sources[name] ?? [])
      .filter((file) => !isTest(file))
      .flatMap((file) =>
        importsOf(file)
          .filter((specifier) => !/^(\.|node:)/.test(specifier))
          .map((specifier) => {
            const parts = specifier.split('/');
            return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
          })
          .filter((target) => target !== `@inlay/${name}` && !(target in declared))
          .map((target) => `${show(file)} imports ${target}`),
      );

    expect(missing).toEqual([]);
  });
});

describe('doors', () => {
  it("nobody reaches into another package's inside", () => {
    const doors = new Set(
      packageNames
        .filter((name) => name !== 'demo')
        .flatMap((name) => {
          const manifest = JSON.parse(
            readFileSync(join(root, folderOf(name), 'package.json'), 'utf8'),
          ) as { exports: Record<string, unknown> };
          return Object.keys(manifest.exports).map((door) => `@inlay/${name}${door.slice(1)}`);
        }),
    );
    const everyFile = [
      ...Object.values(sources).flat(),
      ...filesUnder(join(root, 'e2e')),
      ...filesUnder(join(root, 'bench', 'src')),
    ];
    const wrong = everyFile.flatMap((file) =>
      importsOf(file)
        .filter((specifier) => specifier.startsWith('@inlay/') && !doors.has(specifier))
        .map((specifier) => `${show(file)} imports ${specifier}`),
    );

    expect(wrong).toEqual([]);
  });

  it('no relative import leaves its package', () => {
    const wrong = packageNames.flatMap((name) => {
      const home = join(root, folderOf(name));
      return (sources[name] ?? []).flatMap((file) =>
        importsOf(file)
          .filter((specifier) => specifier.startsWith('.'))
          .filter((specifier) => relative(home, resolve(dirname(file), specifier)).startsWith('..'))
          .map((specifier) => `${show(file)} imports ${specifier}`),
      );
    });

    expect(wrong).toEqual([]);
  });

  it.each(packageNames.filter((name) => !['demo', 'loader', 'hosted'].includes(name)))(
    'the door of %s only re-exports',
    (name) => {
      expect(withoutExports(join(root, folderOf(name), 'src/index.ts'))).toBe('');
    },
  );
});

describe('what the client offers for tests', () => {
  it('is reached by no product code', () => {
    const product = Object.values(sources)
      .flat()
      .filter((file) => !isTest(file) && !(offered.has(file) && /[\\/]testing[\\/.]/.test(file)));
    const wrong = product.flatMap((file) =>
      importsOf(file)
        .filter((specifier) => /\/testing(?:[/.]|$)/.test(specifier))
        .map((specifier) => `${show(file)} imports ${specifier}`),
    );

    expect(wrong).toEqual([]);
  });

  it('runs in browsers and in Node, under any test framework', () => {
    const outside = [...offered].flatMap((file) =>
      importsOf(file).filter((specifier) => !specifier.startsWith('.')),
    );

    expect(outside).toContain('@inlay/protocol');
    expect(outside.filter((each) => !/^@(?:inlay\/protocol|microsoft\/)/.test(each))).toEqual([]);
  });

  it('has a door that only re-exports', () => {
    expect(withoutExports(testingDoor)).toBe('');
  });

  it('is published without what only our own tests use', () => {
    const { exclude } = JSON.parse(readFileSync(join(clientFolder, 'tsconfig.json'), 'utf8')) as {
      exclude: string[];
    };
    const excluded = exclude.map((glob) => new RegExp(`^${glob.replaceAll(/\*+\/?/g, '.*')}`));
    const published = (sources.client ?? [])
      .map((file) => relative(clientFolder, file))
      .filter((file) => !excluded.some((pattern) => pattern.test(file)));
    const stray = published.filter((file) => {
      const whole = join(clientFolder, file);
      return testFolder.test(whole) && !offered.has(whole);
    });

    expect(stray).toEqual([]);
  });
});

describe('platforms', () => {
  const using = (names: string[], pattern: RegExp) =>
    names.flatMap((name) =>
      (sources[name] ?? [])
        .filter((file) => !isTest(file) && pattern.test(readFileSync(file, 'utf8')))
        .map(show),
    );

  it('lit stays out of protocol, client, node and server', () => {
    expect(using(['protocol', 'client', 'node', 'server'], /from 'lit['/]/)).toEqual([]);
  });

  it('node: stays in node, server and the demo', () => {
    const browser = ['protocol', 'client', 'elements', 'loader', 'react', 'hosted'];

    expect(using(browser, /from 'node:/)).toEqual([]);
  });

  it('the full zod stays out of the browser', () => {
    const browser = ['protocol', 'client', 'elements', 'loader', 'react', 'hosted'];

    expect(using(browser, /from 'zod'/)).toEqual([]);
  });

  it('no HTML sink and no eval anywhere in the browser packages', () => {
    const browser = ['client', 'elements', 'loader', 'react', 'hosted'];
    const sinks =
      /\.(?:innerHTML|outerHTML|srcdoc)\s*=|insertAdjacentHTML\(|document\.write\(|unsafeHTML|dangerouslySetInnerHTML|\beval\(|new Function\(/;

    expect(using(browser, sinks)).toEqual([]);
  });
});

describe('elements', () => {
  it('every tag of the tables has an element file and a test beside it', () => {
    const tables = ['first-tags.ts', 'tags.ts', 'on-demand.ts'].map((file) =>
      readFileSync(join(root, 'packages/elements/src/lib', file), 'utf8'),
    );
    const tags = [...tables.join('\n').matchAll(/'(inlay-[a-z-]+)'/g)].map(
      (match) => match[1] ?? '',
    );
    const files = (sources.elements ?? []).map((file) => relative(root, file));
    const without = tags.filter((tag) => {
      const name = tag.slice('inlay-'.length);
      return !files.some((file) => file.endsWith(`/${name}/${name}.test.ts`));
    });

    expect(tags.length).toBeGreaterThan(1);
    expect(without).toEqual([]);
  });
});

describe('cycles', () => {
  it('no file imports itself through others', () => {
    const graph = new Map<string, string[]>();
    for (const file of Object.values(sources).flat()) {
      const targets = importsOf(file)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => resolve(dirname(file), specifier));
      graph.set(file, targets);
    }

    expect(cyclesOf(graph)).toEqual([]);
  });
});

/** Depth-first search; each cycle is told once, by the file that closes it. */
function cyclesOf(graph: Map<string, string[]>): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: string[]) => {
    const start = trail.indexOf(file);
    if (start >= 0) {
      cycles.push([...trail.slice(start), file].map(show).join(' → '));
      return;
    }
    if (done.has(file)) return;
    for (const target of graph.get(file) ?? []) visit(target, [...trail, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return cycles;
}
