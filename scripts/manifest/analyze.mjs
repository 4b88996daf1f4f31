/** Creates the custom elements manifest of `packages/elements` from its types and JSDoc. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create, ts } from '@custom-elements-manifest/analyzer';
import { litPlugin } from '@custom-elements-manifest/analyzer/src/features/framework-plugins/lit/lit.js';
import { eventTable } from './event-table.mjs';
import { tokenTable } from './token-table.mjs';
import { unionTable } from './union-table.mjs';

/** Elements for host pages. */
export const publicElements = ['inlay-chat', 'inlay-launcher'];

/**
 * Analyzes a package.
 *
 * @param {string} folder - Path of the package.
 * @param {object} [options]
 * @param {boolean} [options.withInternal] - Whether to include `@internal` elements, which the
 *   analyzer skips. Default: false.
 * @returns The manifest (https://custom-elements-manifest.open-wc.org) with the elements and their public
 *   members. `publicElements` come first. Each event has the type of its detail, and `cancelable` if it
 *   can be cancelled.
 */
export function analyze(folder, { withInternal = false } = {}) {
  const sources = sourcesOf(folder, withInternal);
  const tags = tagsOf(sources);
  const events = eventTable(sources.find(({ fileName }) => fileName === 'src/lib/events.ts'));
  const tokens = tokenTable(sources.find(({ fileName }) => fileName === 'src/lib/theme/tokens.ts'));
  // Some options have types of the client.
  const unions = unionTable([...sources, ...sourcesOf(join(folder, '../client'), true)]);

  const { modules } = withoutWarnings(() => create({ modules: sources, plugins: litPlugin() }));
  return {
    schemaVersion: '1.0.0',
    modules: modules
      .flatMap(({ path, declarations }) =>
        declarations
          .filter(({ name }) => tags.has(name))
          .map((each) =>
            describe(path, each, { tag: tags.get(each.name), events, tokens, unions }),
          ),
      )
      .sort((a, b) => sortKey(a) - sortKey(b) || (tagOf(a) < tagOf(b) ? -1 : 1)),
  };
}

const tagOf = (module) => module.declarations[0].tagName;
const sortKey = (module) =>
  (publicElements.indexOf(tagOf(module)) + publicElements.length + 1) % (publicElements.length + 1);

/** Parses the modules of a package, except tests. */
function sourcesOf(folder, withInternal) {
  return readdirSync(join(folder, 'src/lib'), { recursive: true })
    .filter((path) => /\.ts$/.test(path) && !/\.test\.ts$|^testing/.test(path))
    .sort()
    .map((path) => parse(folder, `src/lib/${path.replaceAll('\\', '/')}`, withInternal));
}

function parse(folder, fileName, withInternal) {
  const source = readFileSync(join(folder, fileName), 'utf8');
  const text = withInternal ? source.replaceAll('\n * @internal', '') : source;
  return ts.createSourceFile(fileName, text, ts.ScriptTarget.ES2022, true);
}

/** Maps class names to tag names, from the `HTMLElementTagNameMap` declarations. */
function tagsOf(sources) {
  const tags = new Map();
  for (const source of sources) {
    const [, map = ''] = /interface HTMLElementTagNameMap \{([^}]*)\}/.exec(source.text) ?? [];
    for (const [, tag, name] of map.matchAll(/'([\w-]+)': (\w+);/g)) tags.set(name, tag);
  }
  return tags;
}

/** Replaces the name of a union of string literals by its values, which editors can suggest. */
function withUnion(field, unions) {
  const text = unions.get(field.type?.text);
  return text ? { ...field, type: { text } } : field;
}

function describe(source, analyzed, { tag, events, tokens, unions }) {
  const path = source.replace(/^src/, 'dist').replace(/ts$/, 'js');
  const isPublic = ({ name, privacy, static: isStatic }) =>
    !privacy && !isStatic && name[0] !== '#';
  const members = (analyzed.members ?? [])
    .filter(isPublic)
    .map(withoutInheritance)
    .map((each) => withUnion(each, unions));
  const declaration = {
    kind: 'class',
    customElement: true,
    name: analyzed.name,
    tagName: tag,
    ...introduction(analyzed),
    superclass: { name: 'LitElement', package: 'lit' },
    attributes: (analyzed.attributes ?? [])
      .map(withoutInheritance)
      .map((each) => withUnion(each, unions)),
    members,
    events: (analyzed.events ?? [])
      .filter(({ name }) => name)
      .map(({ name, description }) => ({
        name,
        description: inline(description),
        type: { text: 'Event' },
        ...events.get(name),
      })),
    slots: analyzed.slots ?? [],
    cssParts: analyzed.cssParts ?? [],
    cssProperties: [
      ...(analyzed.cssProperties ?? []),
      ...(publicElements.includes(tag) ? tokens : []),
    ],
  };
  return {
    kind: 'javascript-module',
    path,
    declarations: [declaration],
    exports: [
      { kind: 'js', name: analyzed.name, declaration: { name: analyzed.name, module: path } },
    ],
  };
}

/**
 * Splits `@summary` after its first sentence: the JSDoc tag includes all text up to the next tag.
 */
function introduction({ summary = '', description = '' }) {
  const [, first, remainder] = /^(.*?[.])(?: (.*))?$/.exec(inline(summary)) ?? [];
  return { summary: first ?? '', description: [remainder, description].filter(Boolean).join(' ') };
}

/** Drops `inheritedFrom`, because the base classes are not part of the public interface. */
function withoutInheritance({ inheritedFrom, ...rest }) {
  return rest;
}

export const inline = (text = '') => text.replace(/\s*\n\s*/g, ' ').trim();

/** Silences the analyzer's warnings about types that it cannot resolve, such as imported types. */
function withoutWarnings(run) {
  const { warn } = console;
  console.warn = () => {};
  try {
    return run();
  } finally {
    console.warn = warn;
  }
}
