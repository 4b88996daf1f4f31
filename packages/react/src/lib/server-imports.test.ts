import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Packages for the browser. Server rendering also imports their entry points. */
const browserPackages = ['protocol', 'client', 'elements', 'react'];

const root = new URL('../../../', import.meta.url);

const entryPoints = browserPackages.flatMap((name) => {
  const { exports } = JSON.parse(readFileSync(new URL(`${name}/package.json`, root), 'utf8')) as {
    exports: Record<string, string | { source?: string; default: string }>;
  };
  return (
    Object.entries(exports)
      // Needs the linker of Angular. `demo/apps/angular` tests this entry point.
      .filter(([path]) => path !== './angular')
      // An entry without conditions is a file of data.
      .flatMap(([path, target]) =>
        typeof target === 'string'
          ? []
          : [
              [
                path.replace('.', `@inlay/${name}`),
                `${name}/${target.source ?? target.default}`,
              ] as const,
            ],
      )
  );
});

describe('the imports of server rendering', () => {
  it('are tested without a window and a document', () => {
    expect(readdirSync(root)).toEqual(expect.arrayContaining(browserPackages));
    expect('window' in globalThis || 'document' in globalThis).toBe(false);
    expect(entryPoints.length).toBeGreaterThan(6);
  });

  it.each(entryPoints)('can include %s, which adds no globals', async (_name, path) => {
    const globalsBefore = Object.keys(globalThis);

    await import(/* @vite-ignore */ new URL(path, root).href);

    const addedGlobals = Object.keys(globalThis).filter((name) => !globalsBefore.includes(name));
    // Lit defines its version list and a custom element registry, zod its global settings.
    const libraries = /^(?:lit|reactive|__zod|customElements$)/;
    expect(addedGlobals.filter((name) => !libraries.test(name))).toEqual([]);
    expect('window' in globalThis || 'document' in globalThis).toBe(false);
  });
});
