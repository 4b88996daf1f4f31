/** The options of the elements, read from their manifest. */

import { languages } from '@inlay/elements';
import manifest from '@inlay/elements/custom-elements.json' with { type: 'json' };
import { examples } from './examples.ts';

export type Tag = 'inlay-chat' | 'inlay-launcher';

/** How an option is edited. */
export type Control =
  | { readonly kind: 'text' | 'number' | 'switch' | 'css' }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  /** For an object or a function: a switch that sets an example. */
  | { readonly kind: 'example'; readonly source: string };

/** An option of an element. */
export interface Option {
  /** Name in links and in the form: the attribute, the property if there is no attribute, or the custom property. */
  readonly name: string;
  readonly property: string;
  readonly attribute: string | null;
  readonly control: Control;
  /** Default value as text; empty if there is none. */
  readonly fallback: string;
  readonly description: string;
  readonly group: string;
}

/** The part of a custom elements manifest that the playground reads. */
export interface Manifest {
  readonly modules: readonly {
    readonly declarations: readonly {
      readonly tagName: string;
      readonly members: readonly Member[];
      readonly cssProperties: readonly {
        readonly name: string;
        readonly default?: string;
        readonly description?: string;
      }[];
    }[];
  }[];
}

interface Member {
  readonly kind: string;
  readonly name: string;
  readonly readonly?: boolean;
  readonly attribute?: string;
  readonly type?: { readonly text: string };
  readonly default?: string;
  readonly description?: string;
}

/**
 * Properties that determine the server and the user of the chat. They change only the code, because the
 * widget of the playground uses a platform in the page. Links do not contain them.
 */
export const connection: readonly string[] = [
  'baseUrl',
  'tokenUrl',
  'publishableKey',
  'getToken',
  'getChallenge',
  'client',
  'sessionId',
];

/** Properties by group. All others are in “Features”, or in “Launcher” if only the launcher has them. */
const groups: Readonly<Record<string, readonly string[]>> = {
  Connection: connection,
  Appearance: ['heading', 'placeholder', 'colorScheme', 'density'],
  'Language and accessibility': ['language', 'strings', 'announce', 'follow'],
  Storage: ['noResume', 'visitorStorage', 'draftStorage', 'agent'],
};

/** Groups of custom properties, by a pattern of their name. */
const styleGroups: readonly (readonly [RegExp, string])[] = [
  [/^--inlay-color-|contrast/, 'Colours'],
  [/^--inlay-(font|line-height|measure)/, 'Typography'],
  [/^--inlay-(launcher|panel|z-index)/, 'Launcher styles'],
  [/^--inlay-(duration|delay|easing)/, 'Motion'],
  [/./, 'Spacing and shape'],
];

/** Returns every option of an element, in the order of its manifest; custom properties come last. */
export function optionsOf(tag: Tag, source: Manifest = manifest as Manifest): readonly Option[] {
  const declaration = declarationOf(tag, source);
  const shared = new Set(declarationOf('inlay-chat', source).members.map(({ name }) => name));
  const properties = declaration.members.filter(
    ({ kind, readonly }) => kind === 'field' && !readonly,
  );
  return [
    ...properties.map((member) => ({
      name: member.attribute ?? member.name,
      property: member.name,
      attribute: member.attribute ?? null,
      control: controlOf(member),
      fallback: fallbackOf(member.default),
      description: inline(member.description),
      group:
        Object.keys(groups).find((name) => groups[name]?.includes(member.name)) ??
        (shared.has(member.name) ? 'Features' : 'Launcher'),
    })),
    ...declaration.cssProperties.map((each) => ({
      name: each.name,
      property: each.name,
      attribute: null,
      control: { kind: 'css' } as const,
      fallback: each.default ?? '',
      description: inline(each.description),
      group: styleGroups.find(([pattern]) => pattern.test(each.name))?.[1] ?? '',
    })),
  ];
}

function declarationOf(tag: Tag, { modules }: Manifest) {
  const found = modules.flatMap(({ declarations }) => declarations).find((d) => d.tagName === tag);
  if (!found) throw new Error(`The manifest has no ${tag}.`);
  return found;
}

function controlOf({ name, type, attribute }: Member): Control {
  const text = type?.text ?? '';
  if (name === 'language') return { kind: 'choice', values: languages };
  if (text === 'boolean') return { kind: 'switch' };
  if (/^number\b/.test(text)) return { kind: 'number' };
  const values = [...text.matchAll(/'([^']+)'/g)].map(([, value = '']) => value);
  if (attribute && values.length > 0) return { kind: 'choice', values };
  if (attribute && text === 'string') return { kind: 'text' };
  const example = examples[name];
  if (!example)
    throw new Error(`The option ${name} needs an example in demo/playground/examples.ts.`);
  return { kind: 'example', source: example.source };
}

/** Converts a literal of the manifest to text: `'auto'` to auto; `null`, `[]` and `false` to an empty text. */
function fallbackOf(literal = ''): string {
  if (/^(null|\[\]|false)$/.test(literal)) return '';
  return literal.replace(/^'(.*)'$/, '$1');
}

const inline = (text = '') => text.replace(/\s*\n\s*/g, ' ').trim();
