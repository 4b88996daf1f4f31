/** The state of the playground, its validation, and links to it. */
import { agentSettings } from './agent-settings.ts';
import { type Control, connection, type Option, optionsOf, type Tag } from './options.ts';

/** Values that differ from the defaults, as text by name. A switch is `on` or `off`. */
export type Values = Readonly<Record<string, string>>;

export interface State {
  readonly tag: Tag;
  /** The framework, or other way to embed the chat, whose code is shown. */
  readonly integration: string;
  /** Width of the chat. */
  readonly size: string;
  readonly options: Values;
  readonly agent: Values;
}

export const tags: readonly Tag[] = ['inlay-launcher', 'inlay-chat'];
export const integrations: readonly string[] = [
  'html',
  'script',
  'react',
  'vue',
  'angular',
  'svelte',
  'headless',
  'hosted',
];
export const sizes: readonly string[] = ['full', 'phone', 'sidebar'];

export const initialState: State = {
  tag: 'inlay-chat',
  integration: 'html',
  size: 'full',
  options: {},
  agent: {},
};

/** Maximum length of a link's fragment. */
const maxFragmentLength = 8000;
/** Maximum length of a text option. */
const maxTextLength = 200;

/** CSS functions that load no file. */
const cssFunctions =
  /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark|calc|min|max|clamp|var|(?:repeating-)?(?:linear|radial|conic)-gradient|cubic-bezier|steps|linear)$/;

/**
 * Checks a value from a form or a link.
 *
 * @returns A sentence about what is wrong; null if the value is valid.
 */
export function faultOf(control: Control, value: string, length = maxTextLength): string | null {
  switch (control.kind) {
    case 'switch':
      return value === 'on' || value === 'off' ? null : 'Must be on or off.';
    case 'example':
      return value === 'on' ? null : 'Must be on.';
    case 'number':
      return /^-?\d{1,5}(\.\d{1,3})?$/.test(value) ? null : 'Must be a number.';
    case 'choice':
      return control.values.includes(value) ? null : `Must be ${control.values.join(', ')}.`;
    case 'text':
      if (value.length > length) return `Must have at most ${length} characters.`;
      // Bidirectional control characters could display the generated code in another order.
      return /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u.test(value)
        ? 'Must not contain control characters.'
        : null;
    case 'css':
      return cssFault(value);
  }
}

/** Checks a CSS value, such as a colour or a length. It must not load a file or end its declaration. */
function cssFault(value: string): string | null {
  if (value.length > maxTextLength) return `Must have at most ${maxTextLength} characters.`;
  const forbiddenCall = [...value.matchAll(/([\w-]*)\(/g)].find(
    ([, name = '']) => name !== '' && !cssFunctions.test(name.toLowerCase()),
  );
  if (forbiddenCall) return `${forbiddenCall[1]}() is not available here.`;
  if (!/^[\w\s#%.,()"'+*/-]+$/.test(value) || /\/\*|\*\/|\n|\r/.test(value)) {
    return 'Must be a CSS value, without ; { } < > or \\.';
  }
  const depth = [...value].reduce(
    (sum, each) => (sum < 0 ? sum : sum + (each === '(' ? 1 : each === ')' ? -1 : 0)),
    0,
  );
  const hasOpenQuote = ['"', "'"].some((quote) => value.split(quote).length % 2 === 0);
  return depth === 0 && !hasOpenQuote ? null : 'Brackets or quotes are not closed.';
}

/** Whether an option belongs in links. */
const isShared = ({ property }: Pick<Option, 'property'>) => !connection.includes(property);

/** Returns the fragment of a link to a state, without `#`; empty for the defaults. */
export function toFragment({ tag, integration, size, options, agent }: State): string {
  const parameters = new URLSearchParams();
  if (tag !== initialState.tag) parameters.set('element', tag);
  if (integration !== initialState.integration) parameters.set('code', integration);
  if (size !== initialState.size) parameters.set('size', size);
  for (const option of optionsOf(tag)) {
    const value = options[option.name];
    if (value !== undefined && isShared(option)) parameters.set(option.name, value);
  }
  for (const [name, value] of Object.entries(agent)) parameters.set(`agent.${name}`, value);
  return String(parameters);
}

/**
 * Reads the fragment of a link. The values are untrusted, so unknown names, invalid values and the
 * options of the connection are ignored.
 *
 * @returns The state, and the names of the ignored parameters.
 */
export function readFragment(fragment: string): { state: State; ignored: readonly string[] } {
  if (fragment === '') return { state: initialState, ignored: [] };
  if (fragment.length > maxFragmentLength)
    return { state: initialState, ignored: ['the whole link'] };
  const parameters = new URLSearchParams(fragment);
  const ignored: string[] = [];
  const readChoice = <Value extends string>(
    name: string,
    values: readonly Value[],
    fallback: Value,
  ) => {
    const value = parameters.get(name);
    if (value === null) return fallback;
    const found = values.find((each) => each === value);
    if (!found) ignored.push(name);
    return found ?? fallback;
  };
  const tag = readChoice('element', tags, initialState.tag);
  const integration = readChoice('code', integrations, initialState.integration);
  const size = readChoice('size', sizes, initialState.size);
  const options: Record<string, string> = {};
  const agent: Record<string, string> = {};
  const available = optionsOf(tag);
  for (const [name, value] of parameters) {
    if (['element', 'code', 'size'].includes(name)) continue;
    const option = available.find((each) => each.name === name && isShared(each));
    const setting = agentSettings.find((each) => `agent.${each.name}` === name);
    if (option && faultOf(option.control, value) === null) options[name] = value;
    else if (setting && faultOf(setting.control, value, setting.length) === null) {
      agent[setting.name] = value;
    } else ignored.push(name.slice(0, 60));
  }
  return { state: { tag, integration, size, options, agent }, ignored };
}
