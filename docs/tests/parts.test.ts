/** Checks that each element documents its parts and slots, and exports the parts of inner elements. */
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CallExpression, Expression, KeyValueProperty } from '@swc/core';
import { describe, expect, it } from 'vitest';
import * as shared from '../../packages/elements/src/lib/theme/parts.ts';
import { analyze } from '../../scripts/manifest/analyze.mjs';
import { nodesOf, parseModule } from '../../scripts/testing/syntax.ts';
import { elementsInTemplates, stringsIn } from '../../scripts/testing/templates.ts';

interface Named {
  readonly name: string;
}
interface Element {
  readonly tagName: string;
  readonly cssParts: readonly Named[];
  readonly slots: readonly Named[];
}

const constants = new Map(Object.entries(shared).map(([name, value]) => [name, String(value)]));
const folder = resolve(dirname(fileURLToPath(import.meta.url)), '../../packages/elements');
const { modules } = analyze(folder, { withInternal: true }) as {
  modules: readonly { readonly path: string; readonly declarations: readonly Element[] }[];
};
const elements = modules.flatMap(({ path, declarations }) =>
  declarations.map((element) => ({
    tag: element.tagName,
    parts: element.cssParts.map(({ name }) => name).sort(),
    slots: element.slots.map(({ name }) => name).sort(),
    file: join(folder, path.replace(/^dist/, 'src').replace(/js$/, 'ts')),
  })),
);
const files = new Set(elements.map(({ file }) => file));

type Module = ReturnType<typeof parseModule>;

/** Paths of the modules that a module imports, except types and other elements. */
function importsOf(file: string, module: Module): string[] {
  const statements = module.body.flatMap((item) => {
    if (item.type === 'ImportDeclaration') return item.typeOnly ? [] : [item.source.value];
    if (item.type === 'ExportNamedDeclaration') return item.source ? [item.source.value] : [];
    return item.type === 'ExportAllDeclaration' ? [item.source.value] : [];
  });
  const lazyLoaded = nodesOf<CallExpression>(module, 'CallExpression').flatMap(
    ({ callee, arguments: [argument] }) =>
      callee.type === 'Import' && argument?.expression.type === 'StringLiteral'
        ? [argument.expression.value]
        : [],
  );
  return (
    [...statements, ...lazyLoaded]
      .filter((path) => path.startsWith('.') && path.endsWith('.ts'))
      .map((path) => resolve(dirname(file), path))
      .filter((path) => !files.has(path))
      // The chat uses the module for dropped files; the composer renders its button.
      .filter((path) => !path.endsWith('/load-attaching.ts') || file.includes('/composer/'))
      // The announcer uses `markdown/extras.ts` only to convert Markdown to text: it renders no parts of it.
      .filter((path) => !path.endsWith('/markdown/extras.ts') || file.includes('/markdown/'))
      .map((path) => path.replace(/markdown\/extras\.ts$/, 'markdown/markdown-extras.ts'))
  );
}

/** The module of an element, and the modules that it imports. */
function modulesOf(file: string, seen = new Map<string, Module>()): Iterable<Module> {
  if (seen.has(file)) return [];
  const module = parseModule(file);
  seen.set(file, module);
  for (const other of importsOf(file, module)) modulesOf(other, seen);
  return seen.values();
}

const sources = new Map(
  elements.map(({ tag, file }) => {
    const elementModules = [...modulesOf(file)];
    const templates = elementModules.flatMap(elementsInTemplates);
    return [tag, { modules: elementModules, templates }];
  }),
);
const sourceOf = (tag: string) => sources.get(tag) ?? { modules: [], templates: [] };

/** Names of the parts that an element creates: in its templates, or with the attribute `part` in code. */
function ownParts(tag: string): string[] {
  const { modules, templates } = sourceOf(tag);
  const inTemplates = templates.map(({ attributes }) => attributes.get('part') ?? []);
  const inObjects = nodesOf<KeyValueProperty>(modules, 'KeyValueProperty')
    .filter(({ key }) => 'value' in key && key.value === 'part')
    .map(({ value }) => value);
  const inCalls = nodesOf<CallExpression>(modules, 'CallExpression')
    .map(({ arguments: args }) => args.map(({ expression }) => expression))
    .filter(([name]) => name?.type === 'StringLiteral' && name.value === 'part')
    .map(([, value]) => value);
  return [...inTemplates, ...inObjects, ...inCalls].flatMap((value) =>
    typeof value === 'string' ? [value] : stringsIn(value),
  );
}

const slotsOf = (tag: string) =>
  sourceOf(tag).templates.flatMap(({ tag: each, attributes }) => {
    const name = attributes.get('name');
    return each === 'slot' && typeof name === 'string' ? [name] : [];
  });

/**
 * Returns the parts of inner elements that an element exports. `inner` is the name of the part in the
 * inner element, `outer` the exported name.
 */
function exportedParts(tag: string) {
  return sourceOf(tag).templates.flatMap(({ tag: innerTag, attributes }) => {
    const value = attributes.get('exportparts');
    if (value === undefined) return [];
    return exportPartsValue(value)
      .split(',')
      .map((each) => {
        const [inner = '', outer = inner] = each.split(':').map((part) => part.trim());
        return { innerTag, inner, outer };
      });
  });
}

/** The value of `exportparts`: a text, or a constant of `parts.ts`. */
function exportPartsValue(value: string | Expression): string {
  if (typeof value === 'string') return value;
  const name = value.type === 'Identifier' ? value.value : value.type;
  return constants.get(name) ?? `no constant ${name}`;
}

/**
 * Parts that are not exported by outer elements: design tokens style them, and their names would be
 * meaningless or ambiguous on the chat.
 */
const internalParts: Record<string, readonly string[]> = {
  'inlay-feedback': ['reason', 'comment'],
  'inlay-file': ['file', 'image'],
  'inlay-message-editor': ['editor', 'field'],
  'inlay-thinking': ['text'],
  'inlay-tool-call': ['summary', 'question', 'input', 'decision'],
  'inlay-card': ['title', 'field', 'buttons', 'list', 'table', 'image', 'answer', 'note'],
  'inlay-chart': ['chart', 'plot', 'legend', 'numbers'],
  // Pages style the part `content` of the agent message, which contains `content` of its Markdown.
  'inlay-markdown': [
    ...['content', 'heading', 'list', 'quote', 'code-header', 'code-language', 'wrap', 'copy'],
    ...['math', 'footnotes', 'footnote-mark', 'citation', 'source-card', 'blocked-image', 'task'],
    ...['rule', 'plain', 'alert-title', 'details', 'summary'],
  ],
};

/** Elements that need not export the parts of their inner elements. */
const elementsWithoutExports = ['inlay-card', 'inlay-consent'];

describe.each(elements.map((element) => [element.tag, element] as const))(
  '%s',
  (tag, { parts, slots }) => {
    it('documents exactly the parts that it has', () => {
      const actual = [...ownParts(tag), ...exportedParts(tag).map(({ outer }) => outer)];
      // The parts that the launcher exports from the chat are documented at the chat.
      const documented = tag === 'inlay-launcher' ? ownParts(tag) : actual;

      expect(parts).toEqual([...new Set(documented)].sort());
    });

    it('documents exactly the slots that it has', () => {
      const actual = [...slotsOf(tag), ...(tag === 'inlay-launcher' ? shared.launcherSlots : [])];

      expect(slots).toEqual([...new Set(actual)].sort());
    });

    it('exports the parts of each inner element with the name of that element as prefix', () => {
      const names = exportedParts(tag).map(({ innerTag, inner, outer }) => ({
        outer,
        // A part that is exported through several elements keeps its name.
        expected: inner.includes('__') ? inner : `${innerTag.replace('inlay-', '')}__${inner}`,
      }));

      expect(names.filter(({ outer, expected }) => outer !== expected)).toEqual([]);
    });

    it('has no part with the name of a slot', () => {
      expect(parts.filter((part) => slots.includes(part))).toEqual([]);
    });

    it('exports only parts that its inner elements have', () => {
      const missing = exportedParts(tag).filter(
        ({ innerTag, inner }) =>
          !elements.find((each) => each.tag === innerTag)?.parts.includes(inner),
      );

      expect(missing).toEqual([]);
    });

    it('exports every part of its inner elements, except internal parts', () => {
      const inside = new Set(sourceOf(tag).templates.map((element) => element.tag));
      inside.delete(tag);
      const notExported = [...inside].flatMap((inner) => {
        const { parts: innerParts = [] } = elements.find((each) => each.tag === inner) ?? {};
        const exported = exportedParts(tag).filter(({ innerTag }) => innerTag === inner);
        return innerParts
          .filter((part) => !exported.some((each) => each.inner === part))
          .filter((part) => !internalParts[inner]?.includes(part))
          .map((part) => `${inner}: ${part}`);
      });

      expect(elementsWithoutExports.includes(tag) ? [] : notExported).toEqual([]);
    });
  },
);

describe('inlay-launcher', () => {
  it('exports every part and every slot of the chat', () => {
    const chat = elements.find(({ tag }) => tag === 'inlay-chat');
    const exported = exportedParts('inlay-launcher').map(({ inner }) => inner);

    expect([...new Set(exported)].sort()).toEqual(chat?.parts);
    expect([...shared.launcherSlots].sort()).toEqual(chat?.slots);
  });

  it('has no part with the name of a part of the chat', () => {
    const [launcher, chat] = ['inlay-launcher', 'inlay-chat'].map((tag) =>
      elements.find((each) => each.tag === tag),
    );

    expect(launcher?.parts.filter((part) => chat?.parts.includes(part))).toEqual([]);
  });
});

describe('the list of internal parts', () => {
  it('contains only parts that exist', () => {
    const unknownParts = Object.entries(internalParts).flatMap(([tag, names]) => {
      const { parts = [] } = elements.find((each) => each.tag === tag) ?? {};
      return names.filter((name) => !parts.includes(name)).map((name) => `${tag}: ${name}`);
    });

    expect(unknownParts).toEqual([]);
  });
});
