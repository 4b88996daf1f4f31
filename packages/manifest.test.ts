/** The documented interface of the elements: complete, up to date, and without private members. */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { publicElements } from '../scripts/manifest/analyze.mjs';
import { interfaceFiles } from '../scripts/manifest/files.mjs';

interface Named {
  readonly name: string;
  readonly description?: string;
}
interface Element extends Named {
  readonly tagName: string;
  readonly summary?: string;
  readonly members: readonly (Named & { readonly privacy?: string })[];
  readonly attributes: readonly Named[];
  readonly events: readonly (Named & { readonly type?: { readonly text: string } })[];
  readonly slots: readonly Named[];
  readonly cssParts: readonly Named[];
  readonly cssProperties: readonly Named[];
}

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const files = interfaceFiles(root);
const manifest = JSON.parse(files['packages/elements/custom-elements.json'] ?? '') as {
  readonly modules: readonly { readonly declarations: readonly Element[] }[];
};
const elements = manifest.modules.flatMap(({ declarations }) => declarations);

describe('the manifest of the elements', () => {
  it('describes the elements that are not internal, and the package exports exactly those', () => {
    const exported = [
      ...read('packages/elements/src/index.ts').matchAll(/export \{ (Inlay\w+) \}/g),
    ];

    expect(elements.map(({ tagName }) => tagName)).toEqual([...publicElements, 'inlay-markdown']);
    expect(exported.map(([, name]) => name).sort()).toEqual(
      elements.map(({ name }) => name).sort(),
    );
  });

  it.each(elements.map((element) => [element.tagName, element] as const))(
    '%s explains everything that it offers',
    (_tag, element) => {
      expect(element.summary).toBeTruthy();
      const { members, attributes, events, slots, cssParts, cssProperties } = element;
      const unexplained = Object.entries({
        members,
        attributes,
        events,
        slots,
        cssParts,
        cssProperties,
      })
        .flatMap(([kind, all]) => all.map((each) => ({ kind, ...each })))
        .filter(({ description }) => !description)
        .map(({ kind, name }) => `${kind}: ${name}`);

      expect(unexplained).toEqual([]);
    },
  );

  it('holds nothing private', () => {
    const members = elements.flatMap((element) => element.members);
    expect(members.length).toBeGreaterThan(30);
    expect(members.filter(({ name, privacy }) => privacy || /^[#_]/.test(name))).toEqual([]);
  });

  it('knows the detail of every event for the page, and who fires it', () => {
    const fired = elements.slice(0, publicElements.length).flatMap(({ events }) => events);
    const table = /interface InlayEventDetails \{([\s\S]*?)\n\}/.exec(
      read('packages/elements/src/lib/events.ts'),
    );
    const told = [...(table?.[1] ?? '').matchAll(/^ {2}'([\w-]+)':/gm)].map(
      ([, name = '']) => name,
    );

    expect(
      fired.filter(({ type }) => !type?.text.startsWith('CustomEvent<')).map(({ name }) => name),
    ).toEqual([]);
    expect(told.length).toBeGreaterThan(8);
    expect(told.filter((name) => !fired.some((event) => event.name === name))).toEqual([]);
  });

  it('ships with the package', () => {
    const { customElements, files: shipped } = JSON.parse(
      read('packages/elements/package.json'),
    ) as {
      customElements: string;
      files: string[];
    };
    expect(customElements).toBe('custom-elements.json');
    expect(shipped).toEqual(
      expect.arrayContaining(['custom-elements.json', 'html-custom-data.json']),
    );
  });
});

describe('what is written from the manifest', () => {
  it.each(Object.keys(files))('%s is current; if it is not, `npm run manifest`', (path) => {
    expect(read(path) === files[path], `${path} is stale: run npm run manifest`).toBe(true);
  });
});
