/** Checks that the documented interface of the elements is complete, current, and without private members. */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as exports from '../../packages/elements/src/index.ts';
import { membersOf } from '../testing/declarations.ts';
import { publicElements } from './analyze.mjs';
import { interfaceFiles } from './files.mjs';

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

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const files = interfaceFiles(root);
const manifest = JSON.parse(files['packages/elements/custom-elements.json'] ?? '') as {
  readonly modules: readonly { readonly declarations: readonly Element[] }[];
};
const elements = manifest.modules.flatMap(({ declarations }) => declarations);

describe('the manifest of the elements', () => {
  it('describes exactly the elements that the package exports', () => {
    const exported = Object.keys(exports).filter((name) => name.startsWith('Inlay'));

    expect(elements.map(({ tagName }) => tagName)).toEqual([...publicElements, 'inlay-markdown']);
    expect(exported.sort()).toEqual(elements.map(({ name }) => name).sort());
  });

  it.each(elements.map((element) => [element.tagName, element] as const))(
    'describes every member, attribute, event, slot, part and property of %s',
    (_tag, element) => {
      expect(element.summary).toBeTruthy();
      const { members, attributes, events, slots, cssParts, cssProperties } = element;
      const undescribed = Object.entries({
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

      expect(undescribed).toEqual([]);
    },
  );

  it('contains no private member', () => {
    const members = elements.flatMap((element) => element.members);
    expect(members.length).toBeGreaterThan(30);
    expect(members.filter(({ name, privacy }) => privacy || /^[#_]/.test(name))).toEqual([]);
  });

  it('contains every public event, with the type of its detail', () => {
    const documentedEvents = elements
      .slice(0, publicElements.length)
      .flatMap(({ events }) => events);
    const declaredEvents = membersOf(
      join(root, 'packages/elements/src/lib/events.ts'),
      'InlayEventDetails',
    );

    expect(
      documentedEvents
        .filter(({ type }) => !type?.text.startsWith('CustomEvent<'))
        .map(({ name }) => name),
    ).toEqual([]);
    expect(declaredEvents.length).toBeGreaterThan(8);
    expect(
      declaredEvents.filter((name) => !documentedEvents.some((event) => event.name === name)),
    ).toEqual([]);
  });

  it('is among the published files of the package', () => {
    const { customElements, files: shipped } = JSON.parse(
      read('packages/elements/package.json'),
    ) as {
      customElements: string;
      files: string[];
    };
    expect(customElements).toBe('custom-elements.json');
    expect(shipped).toEqual(
      expect.arrayContaining(['custom-elements.json', 'html-custom-data.json', 'web-types.json']),
    );
  });
});
