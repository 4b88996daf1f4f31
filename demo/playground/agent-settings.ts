/** Settings of the agent that affect the widget. They belong to `inlay.config.ts`, not to the page. */
import type { EmbedConfig } from '@inlay/protocol';
import { examples } from './examples.ts';
import type { Control } from './options.ts';

export interface AgentSetting {
  /** Name in links and in the form: the path in the configuration of an agent. */
  readonly name: string;
  readonly control: Control;
  /** Default of the platform, as text. For a switch, `on` or empty. */
  readonly fallback: string;
  readonly description: string;
  /** Maximum length of a text. */
  readonly length?: number;
}

const text = (name: string, description: string, length = 200): AgentSetting => ({
  name,
  control: { kind: 'text' },
  fallback: '',
  description,
  length,
});

const feature = (name: string, fallback: string, description: string): AgentSetting => ({
  name: `appearance.features.${name}`,
  control: { kind: 'switch' },
  fallback,
  description,
});

export const agentSettings: readonly AgentSetting[] = [
  text('name', 'Name of the agent.', 80),
  text('description', 'A line below the name.'),
  text('appearance.greeting', 'Greeting of an empty conversation.', 500),
  text(
    'appearance.starter_prompts',
    'Suggestions at the start of a conversation, separated by `|`.',
    500,
  ),
  {
    name: 'appearance.welcome',
    control: { kind: 'example', source: examples['appearance.welcome']?.source ?? '' },
    fallback: '',
    description: 'Card at the start of a conversation, such as a form.',
  },
  text('appearance.disclosure', 'Text above the first message: an AI answers.', 300),
  text('appearance.disclaimer', 'A line below the text field.'),
  text('appearance.consent.text', 'Text that users accept before they can write.', 500),
  {
    name: 'appearance.theme.accent',
    control: { kind: 'css' },
    fallback: '',
    description: 'Colour of the brand.',
  },
  {
    name: 'appearance.theme.color_scheme',
    control: { kind: 'choice', values: ['light', 'dark', 'auto'] },
    fallback: '',
    description: 'Colour scheme, unless the page sets one.',
  },
  feature('attachments', 'on', 'Users can attach files.'),
  feature('feedback', 'on', 'Users can rate answers.'),
  feature('threads', 'on', 'Users have a list of their conversations.'),
  feature('edit', 'on', 'Users can edit a message and regenerate an answer.'),
  feature('export', 'on', 'Users can save a conversation.'),
  feature('delete', 'on', 'Users can delete a conversation.'),
  feature('forget_me', '', 'Users can delete all data about them.'),
];

/** Settings of the appearance that have no effect in the playground, because they need a model or files. */
export const withoutPreview: readonly string[] = [
  'image_origins',
  'attachments',
  'cards',
  'suggestions',
];

export type AgentValues = Readonly<Record<string, string>>;

/** Parses suggestions that are separated by `|`. */
const promptsOf = (value = '') =>
  value
    .split('|')
    .map((each) => each.trim())
    .filter((label) => label !== '')
    .map((label) => ({ label, prompt: label }));

/** Converts settings to the configuration that the scripted platform sends to the widget. */
export function embedConfigOf(values: AgentValues): Partial<EmbedConfig> {
  const of = (name: string) => values[`appearance.${name}`];
  const scheme = of('theme.color_scheme') as 'light' | 'dark' | 'auto' | undefined;
  const accent = of('theme.accent');
  const consent = of('consent.text');
  const prompts = of('starter_prompts');
  const features = agentSettings
    .filter(({ name }) => name.startsWith('appearance.features.'))
    .map(({ name, fallback }) => [
      name.replace('appearance.features.', ''),
      (values[name] ?? fallback) === 'on',
    ]);
  return {
    agent: {
      id: 'agt_1',
      name: values.name ?? 'Vesper night desk',
      version: '1',
      description: values.description ?? null,
    },
    greeting: of('greeting') ?? 'Good evening. Where shall we wake you up?',
    starter_prompts: promptsOf(
      prompts ?? 'Which trains run tonight? | Change my booking | Cancel my booking',
    ),
    welcome: of('welcome')
      ? (examples['appearance.welcome']?.value as EmbedConfig['welcome'])
      : null,
    disclosure: of('disclosure') ?? null,
    disclaimer: of('disclaimer') ?? null,
    consent: consent ? { text: consent } : null,
    features: Object.fromEntries(features) as EmbedConfig['features'],
    theme: { ...(accent && { accent }), ...(scheme && { color_scheme: scheme }) },
  };
}

/** Returns the changed settings in the form of `inlay.config.ts`. */
export function agentConfigOf(values: AgentValues): Record<string, unknown> {
  const config: Record<string, unknown> = {};
  for (const { name, control } of agentSettings) {
    const value = values[name];
    if (value === undefined) continue;
    const path = name.split('.');
    const last = path.pop() ?? '';
    let target = config;
    for (const part of path) {
      target[part] ??= {};
      target = target[part] as Record<string, unknown>;
    }
    if (control.kind === 'switch') target[last] = value === 'on';
    else if (control.kind === 'example') target[last] = examples[name]?.value;
    else target[last] = name.endsWith('starter_prompts') ? promptsOf(value) : value;
  }
  return config;
}
