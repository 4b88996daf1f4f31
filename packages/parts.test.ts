/** Parts and slots: documented for each element, present in its templates, and exported by its ancestors. */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { analyze } from '../scripts/manifest/analyze.mjs';
import * as shared from './elements/src/lib/theme/parts.ts';

interface Named {
  readonly name: string;
}
interface Element {
  readonly tagName: string;
  readonly cssParts: readonly Named[];
  readonly slots: readonly Named[];
}

const constants = new Map(Object.entries(shared).map(([name, value]) => [name, String(value)]));
const folder = join(resolve(dirname(fileURLToPath(import.meta.url))), 'elements');
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

/** An element's file and all that it draws with: what it imports, but for types and other elements. */
function textOf(file: string, seen = new Set<string>()): string {
  if (seen.has(file)) return '';
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  // A lazy-loaded module has a type, through which it is used.
  const imports = text.matchAll(
    /^(?:(?:import|export) (?!type)[^;]*?from |type \w+ = typeof import\()'(\.[^']+)'\)?;/gm,
  );
  const others = [...imports]
    .map(([, path = '']) => resolve(dirname(file), path))
    .filter((other) => !files.has(other) && !other.endsWith('/lazy-elements.ts'));
  return [text, ...others.map((other) => textOf(other, seen))].join('\n');
}

const texts = new Map(elements.map(({ tag, file }) => [tag, textOf(file)]));
const all = (text: string, pattern: RegExp) => [
  ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
];

/** Parts that an element's own templates and nodes have. */
const ownParts = (text: string) => [
  ...all(text, /\bpart="([\w-]+)"/g),
  ...all(text, /\bpart: '([\w-]+)'/g),
  ...all(text, /'part', '([\w-]+)'/g),
  ...all(text, /\bpart=\$\{[^}]*'([\w-]+)'[^}]*\}/g),
];

/** Returns the parts that an element exports: the inner element, the part and its exported name. */
function passed(tag: string) {
  const text = texts.get(tag) ?? '';
  const tags = text.matchAll(/<(inlay-[\w-]+)([^>]*?)exportparts=(?:"([^"]*)"|\$\{(\w+)\})/g);
  return [...tags].flatMap(([, of = '', , literal, name = '']) => {
    const list = (literal ?? `\${${name}}`).replace(
      /\$\{(\w+)\}/g,
      (_, constant: string) => constants.get(constant) ?? `no constant ${constant}`,
    );
    return list.split(',').map((each) => {
      const [inner = '', outer = inner] = each.split(':').map((part) => part.trim());
      return { of, inner, outer };
    });
  });
}

/**
 * Parts that end where they are: the tokens style them, and their names would say nothing, or
 * something else, on the chat.
 */
const staysInside: Record<string, readonly string[]> = {
  // What the composer and the list pass on under the names of their own.
  'inlay-feedback': ['reason', 'comment'],
  'inlay-file': ['file', 'image'],
  'inlay-message-editor': ['editor', 'field'],
  'inlay-thinking': ['text'],
  'inlay-tool-call': ['summary', 'question', 'input', 'decision'],
  'inlay-card': ['title', 'field', 'buttons', 'list', 'table', 'image', 'answer', 'note'],
  'inlay-chart': ['chart', 'plot', 'legend', 'numbers'],
  // `content` is the `answer` around it.
  'inlay-markdown': [
    ...['content', 'heading', 'list', 'quote', 'code-header', 'code-language', 'wrap', 'copy'],
    ...['math', 'footnotes', 'footnote-mark', 'citation', 'source-card', 'blocked-image', 'task'],
    ...['rule', 'plain', 'alert-title', 'details', 'summary'],
  ],
};

/** Elements that show others inside an own box, whose parts they keep. */
const closed = ['inlay-card', 'inlay-consent'];

describe.each(elements)('$tag', ({ tag, parts, slots }) => {
  const text = texts.get(tag) ?? '';

  it('says of every part that it is there, and of no other', () => {
    const there = [...ownParts(text), ...passed(tag).map(({ outer }) => outer)];
    // The parts of the chat are said there.
    const own = tag === 'inlay-launcher' ? ownParts(text) : there;

    expect(parts).toEqual([...new Set(own)].sort());
  });

  it('says of every slot that it is there, and of no other', () => {
    const there = [
      ...all(text, /<slot name="([\w-]+)"/g),
      ...(tag === 'inlay-launcher' ? shared.launcherSlots : []),
    ];

    expect(slots).toEqual([...new Set(there)].sort());
  });

  it('names what it passes on after the element that has it', () => {
    const names = passed(tag).map(({ of, inner, outer }) => ({
      outer,
      // A part that is exported through several elements keeps its name.
      expected: inner.includes('__') ? inner : `${of.replace('inlay-', '')}__${inner}`,
    }));

    expect(names.filter(({ outer, expected }) => outer !== expected)).toEqual([]);
  });

  it('has no name that is a part and a slot', () => {
    expect(parts.filter((part) => slots.includes(part))).toEqual([]);
  });

  it('passes on only what the element inside has', () => {
    const missing = passed(tag).filter(
      ({ of, inner }) => !elements.find((each) => each.tag === of)?.parts.includes(inner),
    );

    expect(missing).toEqual([]);
  });

  it('passes on every part of the elements inside, but for those that stay', () => {
    const inside = all(text, /<(inlay-[\w-]+)/g).filter((inner) => inner !== tag);
    const kept = inside.flatMap((inner) => {
      const { parts: its = [] } = elements.find((each) => each.tag === inner) ?? {};
      const out = passed(tag).filter(({ of }) => of === inner);
      return its
        .filter((part) => !out.some((each) => each.inner === part))
        .filter((part) => !staysInside[inner]?.includes(part))
        .map((part) => `${inner}: ${part}`);
    });

    expect(closed.includes(tag) ? [] : kept).toEqual([]);
  });
});

describe('inlay-launcher', () => {
  it('passes on every part and every slot of the chat', () => {
    const chat = elements.find(({ tag }) => tag === 'inlay-chat');
    const out = passed('inlay-launcher').map(({ inner }) => inner);

    expect([...new Set(out)].sort()).toEqual(chat?.parts);
    expect([...shared.launcherSlots].sort()).toEqual(chat?.slots);
  });

  it('has no part of its own that one of the chat is called like', () => {
    const [launcher, chat] = ['inlay-launcher', 'inlay-chat'].map((tag) =>
      elements.find((each) => each.tag === tag),
    );

    expect(launcher?.parts.filter((part) => chat?.parts.includes(part))).toEqual([]);
  });
});

describe('what stays inside', () => {
  it('names no part that is gone', () => {
    const gone = Object.entries(staysInside).flatMap(([tag, names]) => {
      const { parts = [] } = elements.find((each) => each.tag === tag) ?? {};
      return names.filter((name) => !parts.includes(name)).map((name) => `${tag}: ${name}`);
    });

    expect(gone).toEqual([]);
  });
});
